/** Runs the client: a process per step, one driver process, a person, or a function. */
import type { ClientService } from './service.ts'
import type { StepResult } from '../../../reports/bundle/client-report.ts'
import type { ClientTask } from './task.ts'

export interface Assignment {
  /** `<scenario>/<step>`, for people. */
  name: string
  service: Pick<ClientService, 'baseUrl' | 'apiKey' | 'agent' | 'nextRequest'>
  /** Completed with the results of the preparation. */
  task: ClientTask
  limitMs: number
}

export interface ClientRunner {
  readonly concurrency: number
  /** Time in ms that the service stays up after a step, for requests in flight. Default 250. */
  readonly lingerMs?: number
  /** Never rejects because of the client. */
  runStep(assignment: Assignment, signal: AbortSignal): Promise<StepResult>
  close(): Promise<void>
}
