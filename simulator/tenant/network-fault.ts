/** What happens to requests and to answers on their way, as data. The service behind it keeps its contract. */
import type { RefusalCode } from '../../spec/types/control.ts'
import { refusals } from '../edge/refusal.ts'
import type { Call } from '../edge/reply.ts'

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

export interface Armed {
  readonly networkFault: NetworkFault
  toPass: number
  left: number
}

const chatTurns = { method: 'POST', path: '/api/v1/chat/' }

/** Webhooks are managed undisturbed: the journal keeps the secrets in those answers out only where they are whole. */
const undisturbed = '/api/agents/'

function matches({ on = chatTurns }: NetworkFault, { method, path }: Pick<Call, 'method' | 'path'>): boolean {
  if (path.startsWith(undisturbed)) return false
  return (on.method ?? method) === method && path.startsWith(on.path ?? '')
}

function proven({ on, after = 0, times = 1, do: trouble }: NetworkFault): void {
  if (on?.path?.includes('*'))
    throw new RangeError(
      `The path ${JSON.stringify(on.path)} has a *: give the beginning of a path, without it.`,
    )
  if (!(after >= 0) || !(times >= 1))
    throw new RangeError(`after ${after}, times ${times}: give at least 0 and at least 1.`)
  if (trouble.is === 'refuse' && !Object.hasOwn(refusals, trouble.code))
    throw new RangeError(
      `There is no refusal ${JSON.stringify(trouble.code)}; there are: ${Object.keys(refusals).join(', ')}.`,
    )
  if (trouble.is === 'answer' && !(trouble.status >= 200 && trouble.status <= 599))
    throw new RangeError(`An answer cannot have the status ${trouble.status}; give one of 200 to 599.`)
}

const none: readonly NetworkFaultAction[] = []

export type NetworkFaultBook = ReturnType<typeof createNetworkFaultBook>

export function createNetworkFaultBook(first: readonly NetworkFault[] = []) {
  const armed: Armed[] = []
  const add = (networkFaults: readonly NetworkFault[]): void => {
    for (const networkFault of networkFaults) proven(networkFault)
    for (const networkFault of networkFaults)
      armed.push({ networkFault, toPass: networkFault.after ?? 0, left: networkFault.times ?? 1 })
  }
  add(first)
  return {
    /** Throws a RangeError for what cannot happen, and then adds nothing. */
    add,
    clear: (): void => void armed.splice(0),
    /** Those still to be met, and what is left of each. */
    armed: armed as readonly Armed[],
    /** Puts back what `armed` gave. */
    arm: (more: readonly Armed[]): void => void armed.push(...more),
    /** What happens to this request, in the order given; counts it. */
    meet: (call: Pick<Call, 'method' | 'path'>): readonly NetworkFaultAction[] => {
      if (armed.length === 0) return none
      const met: NetworkFaultAction[] = []
      for (const one of armed.slice()) {
        if (!matches(one.networkFault, call)) continue
        if (one.toPass-- > 0) continue
        met.push(one.networkFault.do)
        if (--one.left <= 0) armed.splice(armed.indexOf(one), 1)
      }
      return met
    },
  }
}
