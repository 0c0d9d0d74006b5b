/** The task of a step, as plain data. */
import type { Json, Exchange } from '../../wire/exchange.ts'
import type { StepResult } from '../../../bundle/client-report.ts'
import type { NetworkFault } from '../../../spec/types/control.ts'

export { actions, type Action } from '../../../bundle/client-report.ts'

export interface ChatTask {
  do: 'chat' | 'stream'
  message: string
  /** Absent: the client is asked for a turn without one. */
  idempotencyKey?: string
  conversationId?: string
  /** The selection of a button, as it was copied from a presentation. */
  interaction?: Json
}

export interface BillingTask {
  do: 'billing'
  read: 'subscription' | 'usage' | 'plans' | 'invoices'
  /** Of invoices. */
  limit?: number
}

export interface DiscoverTask {
  do: 'discover'
}

/** Run it, and see it through: a task until its final state, an approval until it was read. */
export interface ExecuteTask {
  do: 'execute'
  operation: string
  input: Json
  /** Absent for a read. */
  idempotencyKey?: string
}

export interface UploadTask {
  do: 'upload'
  kind: 'document' | 'spreadsheet'
  fileName: string
  contentType: string
  /** The file, in base64. */
  content: string
  prepareKey: string
  finalizeKey: string
}

export interface CommandTask {
  do: 'command'
  /** `{base_url}`, `{api_key}`, `{agent}` and `{home}` stand for what the step is given. */
  words: readonly string[]
  /** Beside what is inherited, the same stand-ins in it; null takes one away. Default: the base address and the key. */
  env?: Readonly<Record<string, string | null>>
  /** Commands before it in the same home folder, whose end does not matter. */
  beforehand?: readonly Pick<CommandTask, 'words' | 'env' | 'stdin'>[]
  stdin?: string
}

export type ClientTask = ChatTask | BillingTask | DiscoverTask | ExecuteTask | UploadTask | CommandTask

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

export interface ServiceSetup {
  /** Role of the agent; default `plain`. */
  agent?: string
  /** Agent id for the client instead of the real one; `networkFaults` reply to requests with it. */
  agentId?: string
  /** Path after the base URL of the client; `networkFaults` reply to requests below it. */
  basePath?: string
  /** Role of the API key; default `main`. */
  apiKey?: string
  /** Reply rules, in the form of `spec/schemas/reply-rule.json`. */
  replies?: readonly Json[]
  /** Faults, variants and interpretations of the simulator, by name. */
  faults?: readonly string[]
  variants?: readonly string[]
  interpretations?: Readonly<Record<string, string>>
  networkFaults?: readonly NetworkFault[]
  /** What happens before the step, without the client; the task is completed with what results. */
  preparation?:
    | 'conversation'
    | 'button'
    | 'stale-button'
    | 'paused'
    | 'paused-button'
    | 'no-credits'
    | 'uncertain-key'
}

export interface ClientService {
  /** Without a trailing slash, unless `basePath` has one. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly agent: string
  /** Results of `preparation`, which complete the task of the step. */
  readonly prepared: NonNullable<StepResult['given']>
  /** All exchanges so far, oldest first. */
  seen(about: { scenario: string; name: string; firstId: number }): readonly Exchange[]
  /** Whether a network fault was met. */
  isMet(): boolean
  nextRequest(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export type StartService = (setup: ServiceSetup, seed: string) => Promise<ClientService>
