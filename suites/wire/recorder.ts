/**
 * Sends requests and records what comes back, byte for byte: HTTP/1.1, no redirects, no retries, no decoding.
 * Nothing a target does makes it throw.
 */
import type { Identifiers } from '../../spec/identifiers.ts'
import { attempt, type AttemptResult, type Limits } from './attempt.ts'
import { createByteLedger, type ByteLedger } from './budget/bytes.ts'
import type { Clock } from './clock.ts'
import type { Connection } from './connections.ts'
import { identified, type Exchange, type Header, type SentRequest } from './exchange.ts'
import { placesOf, type BaseAddress } from './places.ts'
import type { TargetAccess } from './route.ts'

export interface Timeouts {
  /** Go away after this many milliseconds, or after this many body bytes. */
  abortAfterMs?: number
  abortAfterBytes?: number
  /** Give up after this many milliseconds. Default: the target's. */
  timeoutMs?: number
  /** Wait at least this long, even if the timeout of the target is shorter; a longer one is kept. */
  leastMs?: number
}

/** A request of a scenario; `path` is below the base address, header values are written as Latin-1. */
export interface Outgoing extends SentRequest {
  scenario: string
  name: string
  timeouts?: Timeouts | undefined
  insteadOf?: number
}

export interface Recorder {
  /** One exchange; its id counts in the order of the calls. Rejects only for what cannot be written as HTTP. */
  send(outgoing: Outgoing): Promise<Exchange>
  /** All at once past one barrier, each on a connection of its own that is open already. In the order given. */
  together(outgoing: readonly Outgoing[]): Promise<readonly Exchange[]>
  withhold(outgoing: Outgoing, because: string): Exchange
  /** The id of one more exchange, which somebody else sends. */
  nextId(): number
  /** Opens connections until `count` are kept; sends nothing on them. */
  warm(count: number): Promise<void>
  /** Closes every connection, and opens none after: what is under way, and what comes later, is aborted. */
  close(): Promise<void>
}

export interface RecorderOptions {
  /** With or without a path of its own; a trailing slash is ignored. */
  baseUrl: string
  /** Further base addresses, which a request may name as its `replica`. */
  replicas?: readonly string[]
  /** Sent with every request that has none of the same name. */
  headers?: readonly Header[]
  /** Default: straight, trusting the usual certificates. */
  access?: TargetAccess
  /** For a whole answer; a scenario may ask for another. */
  timeoutMs: number
  clock: Clock
  /** Of the service; absent: as the contract writes them. */
  identifiers?: Identifiers | undefined
  bytes?: ByteLedger
  /** Seconds from the beginning of the run after which a response is cut. Default: never. */
  wallSeconds?: number
  /** Ids of exchanges. Default: from 1 in steps of 1. */
  ids?: { first: number; step: number }
}

/** Compressed bodies would hide when which bytes were written. */
const baseline: readonly Header[] = [['accept-encoding', 'identity']]

export function createRecorder(settings: RecorderOptions): Recorder {
  const { clock, identifiers, ids = { first: 1, step: 1 } } = settings
  const limitsOf = limitsIn(settings)
  const of = (exchange: Exchange): Exchange => identified(exchange, identifiers)
  const places = placesOf(settings)
  const ordinary = [...(settings.headers ?? []), ...baseline]
  let sent = 0
  const nextId = (): number => ids.first + ids.step * sent++

  async function once(
    { prefix, headers, connections }: BaseAddress,
    connection: Connection,
    request: SentRequest,
    limits: Limits,
  ): Promise<AttemptResult> {
    const sent = { ...request, path: `${prefix}${request.path}`, headers: [...request.headers, ...headers] }
    try {
      const made = await attempt(connection, sent, limits, clock)
      if (made.failure || closes(made)) connections.drop(connection)
      else connections.give(connection)
      return made
    } catch (unsendable) {
      connections.drop(connection)
      throw unsendable
    }
  }

  /** Safe to send again, because the other end closed without a word, and every billable turn carries a key. */
  async function send(outgoing: Outgoing): Promise<Exchange> {
    const { scenario, name } = outgoing
    const id = nextId()
    const request = { ...requestOf(outgoing), headers: withOrdinary(outgoing.headers, ordinary) }
    const place = places.of(outgoing)
    const called = clock.now()
    const limits = limitsOf(outgoing)
    const made = await once(place, place.connections.take(), request, limits)
    const about = { id, scenario, name, request, sentAt: made.sentAt ?? called, ...placeOf(outgoing) }
    if (!isStale(made)) return of({ ...about, ...resultOf(made) })
    const left = Math.max(0, limits.timeoutMs - (clock.now() - called))
    const rest: Limits = { ...limitsOf(outgoing), timeoutMs: left }
    const again = await once(place, place.connections.take(true), request, rest)
    return of({ ...about, ...resultOf(again), resent: true })
  }

  return {
    send,
    async together(outgoing) {
      const counts = Map.groupBy(outgoing, (request) => places.of(request))
      await Promise.all([...counts].map(([{ connections }, { length }]) => connections.warm(length)))
      return Promise.all(outgoing.map(send))
    },
    withhold(outgoing, message) {
      const at = clock.now()
      const { scenario, name } = outgoing
      const failure = { kind: 'budget', message } as const
      const request = requestOf(outgoing)
      return of({ id: nextId(), scenario, name, request, sentAt: at, endedAt: at, response: null, failure })
    },
    nextId,
    warm: (count) => places.first.connections.warm(count),
    close: () => places.close(),
  }
}

function limitsIn({
  clock,
  timeoutMs,
  bytes = createByteLedger({}),
  wallSeconds = Infinity,
}: RecorderOptions): (outgoing: Outgoing) => Limits {
  return ({ scenario, timeouts }) => ({
    timeoutMs: Math.max(timeoutMs, timeouts?.leastMs ?? 0),
    ...timeouts,
    meter: bytes.meter(scenario),
    rest: { ms: wallSeconds * 1000 - clock.now(), words: `the run may take ${wallSeconds} seconds` },
  })
}

const placeOf = ({ insteadOf }: Outgoing): Pick<Exchange, 'insteadOf'> =>
  insteadOf === undefined ? {} : { insteadOf }

function requestOf({ method, path, headers, body, principal, replica, splitAt }: Outgoing): SentRequest {
  const plain = { method, path, headers, body, principal }
  return {
    ...plain,
    ...(replica === undefined ? {} : { replica }),
    ...(splitAt === undefined ? {} : { splitAt }),
  }
}

function withOrdinary(own: readonly Header[], ordinary: readonly Header[]): readonly Header[] {
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  return [...own, ...ordinary.filter(([name]) => !names.has(name.toLowerCase()))]
}

function resultOf({
  endedAt,
  response,
  failure,
}: AttemptResult): Pick<Exchange, 'endedAt' | 'response' | 'failure'> {
  return { endedAt, response, failure }
}

function isStale(made: AttemptResult): boolean {
  return made.unanswered && made.failure?.kind === 'reset'
}

function closes({ response }: AttemptResult): boolean {
  return (response?.headers ?? []).some(
    ([name, value]) => name.toLowerCase() === 'connection' && /\bclose\b/i.test(value),
  )
}
