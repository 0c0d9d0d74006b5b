/** The service that a client meets in a step, described as data. `cli/` starts it, because only it knows the simulator. */
import type { NetworkFault } from '../../../spec/types/control.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'

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
  /** Id of the agent. */
  readonly agent: string
  /** Results of `preparation`, which complete the task of the step. */
  readonly prepared: {
    readonly conversationId?: string
    readonly interaction?: Json
    readonly idempotencyKey?: string
  }
  /** All exchanges so far, oldest first. */
  seen(about: { scenario: string; name: string; firstId: number }): readonly Exchange[]
  /** Resolves when the next request has arrived, or when the signal fires. */
  nextRequest(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Starts the service of a step. The same seed gives the same keys and ids. */
export type StartService = (setup: ServiceSetup, seed: string) => Promise<ClientService>
