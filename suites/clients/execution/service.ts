/** What a client meets in one act: a service of its own, set up as data. Whoever opens stages knows the simulator. */
import type { ChatErrorCode } from '../../../spec/index.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'

export interface Stage {
  /** Role of the agent; default `plain`. */
  agent?: string
  /** The id that the client is given in place of the agent's own; what is sent to it is answered by `networkFaults`. */
  agentId?: string
  /** Stands behind the address that the client is given; what is sent there is answered by `networkFaults`. */
  basePath?: string
  /** Role of the API key; default `main`. */
  apiKey?: string
  /** Replies of the agent, in the form of `spec/schemas/reply-rule.json`. */
  replies?: readonly Json[]
  /** Faults, variants and readings of the service by name. */
  faults?: readonly string[]
  variants?: readonly string[]
  readings?: Readonly<Record<string, string>>
  /** What happens to requests on their way, and to answers on theirs. */
  networkFaults?: readonly NetworkFault[]
  /** Done before the client comes, by somebody else: the task then carries what came of it. */
  before?:
    | 'conversation'
    | 'button'
    | 'stale-button'
    | 'paused'
    | 'paused-button'
    | 'no-credits'
    | 'uncertain-key'
}

/** Requests that match are met otherwise than the service alone would. All that are set off by one act together. */
export interface NetworkFault {
  /** Method, and beginning of the path; default: every chat turn. */
  on?: { method?: string; path?: string }
  /** So many that match go through first; default 0. */
  after?: number
  /** So many meet it then; default 1. */
  times?: number
  do: NetworkFaultAction
}

/** A code of the contract, or a name for a refusal whose code the contract does not show. */
export type RefusalName =
  | ChatErrorCode
  | 'INVALID_API_KEY'
  | 'MISSING_SCOPE'
  | 'PLAN_RESTRICTED'
  | 'RATE_LIMITED'
  | 'SERVER_ERROR'
  | 'UNAVAILABLE'

/**
 * `refuse`: the service is not asked, and its refusal with this code is the answer. `answer`: neither, and these
 * bytes are. `cut`: the connection breaks, `before` the service sees the request, `in` the body of the answer behind
 * so many bytes (default: half of it), or `after` the work was done, before the first byte of the answer. `wait`:
 * the work is done, and nothing comes for so long. `spell`: a stream, spelled in another way.
 */
export type NetworkFaultAction =
  | { is: 'refuse'; code: RefusalName; retryAfterSeconds?: number; limit?: number; remaining?: number }
  /** In names of `headers`, `{replayHeader}` stands for that of the service. */
  | { is: 'answer'; status: number; headers?: Readonly<Record<string, string>>; body: string }
  | { is: 'cut'; when: 'before' | 'in' | 'after'; bytes?: number; reset?: true }
  | { is: 'wait'; ms: number }
  | { is: 'spell'; as: StreamSpelling }

export interface StreamSpelling {
  /** How bytes are put into writes. `every-byte`: one each. `at`: cut behind these many bytes. Default: an event each. */
  writes?: 'whole' | 'every-byte' | 'within-characters' | 'within-line-ends' | { at: readonly number[] }
  /** Between two writes, in ms. Default 0: as fast as they go out one by one. */
  gapMs?: number
  lineEnd?: '\n' | '\r\n' | '\r'
  /** Text before the first event, before each event, and behind the last, as it is. */
  first?: string
  before?: string
  last?: string
  /** No blank behind the colon of a data line. */
  tight?: true
  /** Further events behind so many of its own: sent as a data line, `raw` as it is, or the one before `again`. */
  insert?: readonly {
    behind: number
    event?: { readonly [member: string]: Json }
    raw?: string
    again?: true
  }[]
  /** Silence behind so many events, in ms; with `comments`, one comment every 100 ms meanwhile. */
  silence?: { behind: number; ms: number; comments?: true }
  /** Ends behind so many events: `close` as a body that is whole, `cut` and `reset` with the socket. */
  end?: { behind: number; by: 'close' | 'cut' | 'reset' }
  /** The last event lacks its empty line. */
  noFinalBlank?: true
}

/** One act's service, up and waiting. */
export interface OpenStage {
  /** Without a trailing slash, unless `basePath` has one. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Id of the agent. */
  readonly agent: string
  /** What `before` made: the task of the act is completed with it. */
  readonly given: {
    readonly conversationId?: string
    readonly interaction?: Json
    readonly idempotencyKey?: string
  }
  /** Everything the client sent and was answered so far, oldest first; all of one name and scenario. */
  seen(about: { scenario: string; name: string; firstId: number }): readonly Exchange[]
  /** Resolves when the next request has come in, or the signal fires. */
  nextRequest(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Opens the service of an act. `seed`: same seed, same keys and ids. */
export type OpenStages = (stage: Stage, seed: string) => Promise<OpenStage>
