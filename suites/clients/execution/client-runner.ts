/** Whoever runs the client: a process for each act, a driver, a person, or a function in a test. */
import type { OpenStage } from './service.ts'
import type { Performance } from './report.ts'
import type { Task } from './task.ts'

export interface Assignment {
  /** `<scenario>/<act>`, for people. */
  name: string
  stage: Pick<OpenStage, 'baseUrl' | 'apiKey' | 'agent' | 'nextRequest'>
  /** With what the stage made before. */
  task: Task
  limitMs: number
}

export interface Performer {
  /** How many acts may be run at once. */
  readonly atOnce: number
  /** How long the stage stays up once an act is over, in ms, for what is still on its way. Default 250. */
  readonly lingerMs?: number
  /** Never rejects for what a client does. */
  perform(assignment: Assignment, signal: AbortSignal): Promise<Performance>
  close(): Promise<void>
}
