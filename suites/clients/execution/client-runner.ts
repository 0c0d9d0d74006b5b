/** Whoever runs the client: a process for each act, a driver, a person, or a function in a test. */
import type { ClientService } from './service.ts'
import type { StepResult } from '../../../reports/bundle/client-report.ts'
import type { ClientTask } from './task.ts'

export interface Assignment {
  /** `<scenario>/<act>`, for people. */
  name: string
  service: Pick<ClientService, 'baseUrl' | 'apiKey' | 'agent' | 'nextRequest'>
  /** With what the stage made before. */
  task: ClientTask
  limitMs: number
}

export interface ClientRunner {
  /** How many acts may be run at once. */
  readonly concurrency: number
  /** How long the stage stays up once an act is over, in ms, for what is still on its way. Default 250. */
  readonly lingerMs?: number
  /** Never rejects for what a client does. */
  runStep(assignment: Assignment, signal: AbortSignal): Promise<StepResult>
  close(): Promise<void>
}
