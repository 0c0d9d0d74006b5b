/**
 * Sends requests and records what comes back, byte for byte: no redirects, no retries; bodies without a compression.
 * Nothing a target does makes it throw.
 */
import { packed } from '../../bundle/chunks.ts'
import { decompressed } from '../../bundle/redaction/decoded.ts'
import { traced, withoutTrace } from '../../bundle/trace.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import { attempt, lastMs, type AttemptResult, type Limits } from './attempt.ts'
import { createByteLedger, type ByteLedger } from './budget/spending.ts'
import type { Clock } from './clock.ts'
import {
  identified,
  type Chunk,
  type Exchange,
  type Header,
  type Received,
  type SentRequest,
} from './exchange.ts'
import { placesOf, type BaseAddress, type Connection } from './connections.ts'
import type { TargetAccess } from './route.ts'
import type { Admission, BudgetRequest, Governor } from './budget/governor.ts'

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
  /** Opens no connection any more, and closes each after `lastMs`: what is under way then, and what comes later, is aborted. */
  close(): Promise<void>
}

export interface RecorderOptions {
  /** With or without a path of its own; a trailing slash is ignored. */
  baseUrl: string
  /** Further base addresses, which a request may name as its `replica`. */
  replicas?: readonly string[]
  /** Sent with every request that has none of the same name. */
  headers?: readonly Header[]
  /** The run of which each request becomes a span. Default: no request gets a `traceparent`. */
  tracedRun?: string | undefined
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
  const requestAs = requestsIn(settings)
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
    const request = requestAs(`${id}`, outgoing)
    const place = places.of(outgoing)
    const called = clock.now()
    const limits = limitsOf(outgoing)
    const made = await once(place, place.connections.take(), request, limits)
    const about = { id, scenario, name, request, sentAt: made.sentAt ?? called, ...placeOf(outgoing) }
    if (!(made.unanswered && made.failure?.kind === 'reset')) return of({ ...about, ...resultOf(made) })
    const left = Math.max(0, limits.timeoutMs - (clock.now() - called))
    const rest: Limits = { ...limitsOf(outgoing), timeoutMs: left }
    const resent = requestAs(`${id} again`, outgoing)
    const again = await once(place, place.connections.take(true), resent, rest)
    return of({ ...about, request: resent, ...resultOf(again), resent: true })
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
      const request = { ...requestOf(outgoing), headers: withoutTrace(outgoing.headers) }
      return of({ id: nextId(), scenario, name, request, sentAt: at, endedAt: at, response: null, failure })
    },
    nextId,
    warm: (count) => places.first.connections.warm(count),
    close: () => places.close((over) => clock.sleep(lastMs, over)),
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

/** As it goes out; `span`: no other request of the run has it. */
function requestsIn({
  headers: given = [],
  tracedRun,
}: RecorderOptions): (span: string, outgoing: Outgoing) => SentRequest {
  const ordinary = [...given, ...baseline]
  return (span, outgoing) => {
    const names = new Set(outgoing.headers.map(([name]) => name.toLowerCase()))
    const headers = [...outgoing.headers, ...ordinary.filter(([name]) => !names.has(name.toLowerCase()))]
    return {
      ...requestOf(outgoing),
      headers: tracedRun === undefined ? headers : traced(headers, tracedRun, span),
    }
  }
}

function requestOf({ method, path, headers, body, principal, replica, splitAt }: Outgoing): SentRequest {
  const plain = { method, path, headers, body, principal }
  return {
    ...plain,
    ...(replica === undefined ? {} : { replica }),
    ...(splitAt === undefined ? {} : { splitAt }),
  }
}

function resultOf({
  endedAt,
  response,
  failure,
}: AttemptResult): Pick<Exchange, 'endedAt' | 'response' | 'failure'> {
  return { endedAt, response: response && decoded(response), failure }
}

/** Beyond so many reads the whole counts as read with the last. */
const mostDecodedReads = 100

/** A body in an encoding that was not asked for, as a client reads it: what each read added to it. */
function decoded(response: Received): Received {
  const { headers, chunks } = response
  if (!headers.some(([name]) => name.toLowerCase() === 'content-encoding')) return response
  const skip = chunks.length > mostDecodedReads ? chunks.length - 1 : 0
  const read: Chunk[] = []
  let length = 0
  for (const [at, { at: time }] of [...chunks.entries()].slice(skip)) {
    const whole = decompressed({ ...response, chunks: chunks.slice(0, at + 1) })
    if (whole === 'too large') return response
    if (whole === null) continue
    if (whole.length > length) read.push({ at: time, bytes: whole.subarray(length) })
    length = whole.length
  }
  return read.length === 0 ? response : { ...response, chunks: packed(read) }
}

const placeOf = ({ insteadOf }: Outgoing): Pick<Exchange, 'insteadOf'> =>
  insteadOf === undefined ? {} : { insteadOf }

function closes({ response }: AttemptResult): boolean {
  return (response?.headers ?? []).some(
    ([name, value]) => name.toLowerCase() === 'connection' && /\bclose\b/i.test(value),
  )
}

/** `turns`: the most turns that can run for all of it. */
export type SendTerms = Pick<BudgetRequest, 'turns' | 'unpaced'>

/** The governor and the recorder as one: what a scenario sends goes through here, and comes out as an exchange. */
export interface Wire {
  /** One exchange; with failure `budget` where a cap of the run did not allow it. */
  send(outgoing: Outgoing, terms?: SendTerms): Promise<Exchange>
  /** All at once, on warm connections, past one barrier; all withheld where a cap did not allow all. */
  together(outgoing: readonly Outgoing[], terms?: SendTerms): Promise<readonly Exchange[]>
  /** The id of an exchange that the target began. */
  nextId(): number
  /** Takes an exchange that the target began, as it ends. It costs nothing. */
  receive(exchange: Exchange): void
}

export interface WireOptions {
  recorder: Recorder
  governor: Governor
  /** Why a request must never be sent, or null. */
  refuses?: ((request: Outgoing) => string | null) | undefined
  /** Called with every exchange as it ends, the withheld ones included. */
  onExchange?: ((exchange: Exchange) => void) | undefined
}

export function createWire({ recorder, governor, refuses, onExchange }: WireOptions): Wire {
  /** One admission for each principal, because each has a rate of its own. */
  async function admit(
    outgoing: readonly Outgoing[],
    terms: SendTerms,
  ): Promise<Map<string | null, Admission>> {
    const admissions = new Map<string | null, Admission>()
    for (const [principal, { length: count }] of Map.groupBy(outgoing, (request) => request.principal))
      admissions.set(principal, await governor.admit({ principal, count, ...terms }))
    return admissions
  }

  async function pass(
    outgoing: readonly Outgoing[],
    terms: SendTerms,
    go: () => Promise<readonly Exchange[]>,
  ): Promise<readonly Exchange[]> {
    const never = outgoing.map((request) => refuses?.(request) ?? null).find((words) => words !== null)
    const admissions =
      never === undefined ? await admit(outgoing, terms) : new Map<string | null, Admission>()
    const refused = [...admissions.values()].find((admission) => !admission.admitted)
    const because = never ?? refused?.because
    let exchanges: readonly Exchange[] = []
    try {
      exchanges =
        because === undefined ? await go() : outgoing.map((request) => recorder.withhold(request, because))
    } finally {
      for (const [principal, admission] of admissions)
        if (admission.admitted)
          admission.settle(exchanges.filter(({ request }) => request.principal === principal))
    }
    for (const exchange of exchanges) onExchange?.(exchange)
    return exchanges
  }

  return {
    async send(outgoing, terms = {}) {
      const [exchange] = await pass([outgoing], terms, async () => [await recorder.send(outgoing)])
      if (!exchange) throw new Error(`the request \`${outgoing.name}\` became no exchange`)
      return exchange
    },
    nextId: () => recorder.nextId(),
    receive: (exchange) => onExchange?.(exchange),
    together: (outgoing, terms = {}) => pass(outgoing, terms, () => recorder.together(outgoing)),
  }
}
