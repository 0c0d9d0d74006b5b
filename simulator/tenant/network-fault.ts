/** What happens to requests and to answers on their way, as data. The service behind it keeps its contract. */
import type { RefusalCode } from '../../spec/types/control.ts'

/** Requests that match are met otherwise than the service alone would. All that are set off by one act together. */
export interface NetworkFault {
  /** Method, and beginning of the path; default: every chat turn. */
  on?: { method?: string; path?: string }
  /** So many that match go through first; default 0. */
  after?: number
  /** So many meet it then; default 1, Infinity until cleared. */
  times?: number
  do: NetworkFaultAction
}

/**
 * `refuse`: the service is not asked, and its refusal with this code is the answer. `answer`: neither, and these
 * bytes are. `cut`: the connection breaks, `before` the service sees the request, `in` the body of the answer behind
 * so many bytes (default: half of it), or `after` the work was done, before the first byte of the answer. `wait`:
 * the work is done, and nothing comes for so long on the clock of the tenant. `encode`: a stream, encoded in another
 * way; other answers go out as they are.
 */
export type NetworkFaultAction =
  | {
      is: 'refuse'
      code: RefusalCode
      /** Of a 429; default 1, and what the limit of the tenant is. */
      retryAfterSeconds?: number
      limit?: number
      remaining?: number
    }
  | { is: 'answer'; status: number; headers?: Readonly<Record<string, string>>; body: string }
  /** Closed, as by a process that ends (FIN); with `reset`, as by one that is not there any more (RST). */
  | { is: 'cut'; when: 'before' | 'in' | 'after'; bytes?: number; reset?: true }
  | { is: 'wait'; ms: number }
  | { is: 'encode'; as: StreamEncoding }

/** How bytes are put into writes, each of which goes out by itself. `at`: cut behind these many bytes. */
export type Writes =
  | 'whole'
  | 'every-byte'
  | 'within-characters'
  | 'within-line-ends'
  | { at: readonly number[] }

export interface StreamEncoding {
  /** Default: an event each. */
  writes?: Writes
  /** Between two writes, on the clock of the tenant. Default 0: as fast as they go out one by one. */
  gapMs?: number
  lineEnd?: '\n' | '\r\n' | '\r'
  /** Text before the first event, before each event, and behind the last, as it is. */
  first?: string
  before?: string
  last?: string
  /** No blank behind the colon of a data line. */
  tight?: true
  /** Further events behind so many of its own: sent as a data line, `raw` as it is, or the one before `again`. */
  insert?: readonly Insertion[]
  /** Silence behind so many events, in ms; with `comments`, one comment every 100 ms meanwhile. */
  silence?: { behind: number; ms: number; comments?: true }
  /** Ends behind so many events: `close` as a body that is whole, `cut` and `reset` with the socket. */
  end?: { behind: number; by: 'close' | 'cut' | 'reset' }
  /** The last event lacks its empty line. */
  noFinalBlank?: true
}

export interface Insertion {
  behind: number
  /** Any JSON object, whether or not it is an event of the contract. */
  event?: Readonly<Record<string, unknown>>
  raw?: string
  again?: true
}
