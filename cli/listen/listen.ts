/** `touchstone listen`: a receiver of webhooks for a person, until it is told to end. */
import { inboundExchange } from '../../suites/engine/arrivals.ts'
import type { Answer, Arrival, Inbox, Place } from '../../suites/inbound/inbox.ts'
import { createInbox } from '../../suites/inbound/server.ts'
import { took2xx } from '../../suites/judge/deliveries.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { secret as secretOf } from '../values.ts'
import { wordFor, type Word } from './answers.ts'
import type { ListenOptions } from './command.ts'
import { deliveryOf, type Delivery } from './delivery.ts'
import { createForwarder, type Forwarder } from './forward.ts'
import { knownIds, type KnownIds } from './known-ids.ts'
import { arrivalLine, personLine, programLine, type Outcome } from './line.ts'
import { openRecording, type Recording } from './recording.ts'
import { count, noCounts, summaryLine, type Counts } from './summary.ts'

/** Ids that are remembered, so that listening for a week needs no more memory than for an hour. */
const idsRemembered = 100_000

interface Listener {
  readonly io: Io
  readonly clock: Clock
  readonly json: boolean
  readonly secret: string | null
  readonly words: readonly Word[]
  readonly forwarder: Forwarder | null
  readonly recording: Recording | null
  readonly known: KnownIds
  readonly counts: Counts
  /** Those that are not told yet. */
  readonly open: Set<Promise<void>>
}

/** Gives the exit code once it was ended. Throws UsageError and ConfigurationError. */
export async function listen(options: ListenOptions, io: Io): Promise<number> {
  const listener = listenerOf(options, io)
  const inbox = await open(options, listener)
  const failed = Promise.withResolvers<never>()
  const place = inbox.open('/', (arrival) => {
    const told = attend(arrival, place, listener).catch(failed.reject)
    listener.open.add(told)
    void told.finally(() => listener.open.delete(told))
  })
  place.script(...(listener.forwarder ? ['hold' as const] : listener.words.map(({ answer }) => answer)))
  greet(inbox, listener)
  try {
    await Promise.race([ended(io.stopped), failed.promise])
  } finally {
    await inbox.close()
    await Promise.all(listener.open)
    await listener.forwarder?.close()
    listener.recording?.close()
    sum(listener)
  }
  // What was told only while it closed may have failed too.
  return Promise.race([failed.promise, Promise.resolve(exitCodes.ok)])
}

function listenerOf({ secret, answer = [], forward, record, json }: ListenOptions, io: Io): Listener {
  if (forward !== undefined && answer.length > 0)
    throw new UsageError('--forward and --answer contradict one another: leave one away.')
  return {
    io,
    clock: realClock(),
    json: json ?? false,
    secret: secret === undefined ? null : secretOf('--secret', secret, io.env),
    words: answer,
    forwarder: forward === undefined ? null : createForwarder(forward),
    recording: record === undefined ? null : openRecording(record),
    known: knownIds(idsRemembered),
    counts: noCounts(),
    open: new Set(),
  }
}

const garbage = {
  tls: 'Something came that speaks TLS: give the webhook an address that begins with http://.\n',
  unknown: 'Something came that is no HTTP request; it was answered 400.\n',
}

/** Each request is told as it comes: one kept would be a body of up to a megabyte that nobody reads again. */
const nothingKept = { placeLimit: 1, beyondLimit: 'forget' } as const

async function open({ host, port }: ListenOptions, { clock, recording, io }: Listener): Promise<Inbox> {
  const onGarbage = (is: keyof typeof garbage): void => io.err(garbage[is])
  try {
    return await createInbox({ clock, host, port, ...nothingKept, onGarbage })
  } catch (error) {
    recording?.close()
    throw error
  }
}

/** From the arrival of a request to its line. */
async function attend(arrival: Arrival, place: Place, listener: Listener): Promise<void> {
  const { clock, known, secret, recording } = listener
  const at = new Date(Date.parse(clock.wall()) - (clock.now() - arrival.at)).toISOString()
  const delivery = deliveryOf(exchangeOf(arrival, { at: arrival.at, end: 'open' }), { at, secret, known })
  if (waits(arrival, listener)) listener.io.err(arrivalLine(delivery))
  const notForwarded = await answer(arrival, place, listener)
  const answered = await arrival.done
  const exchange = exchangeOf(arrival, answered)
  if (delivery.id !== null && answered.end === 'answered' && took2xx(exchange)) known.delivered(delivery.id)
  recording?.add(exchange)
  tell(delivery, { answered, tookMs: answered.at - arrival.at, notForwarded }, listener)
}

function exchangeOf(arrival: Arrival, answered: Parameters<typeof inboundExchange>[1]): Exchange {
  const about = {
    id: arrival.number,
    scenario: 'listen',
    name: 'delivery',
    place: '/',
    ahead: 0,
    aheadAtEnd: 0,
  }
  return inboundExchange(arrival, answered, about)
}

/** Whether it is some time until there is a line to print, with nobody else who would tell. */
function waits({ number }: Arrival, { words, json, forwarder }: Listener): boolean {
  return (
    !json && !forwarder && ['hold', 'hang', 'drip'].some((slow) => slow === wordFor(number, words).answer)
  )
}

/** Answers what the script holds. Why it could not be forwarded, or null. */
async function answer(
  arrival: Arrival,
  place: Place,
  { clock, words, forwarder }: Listener,
): Promise<string | null> {
  const left = new AbortController()
  void arrival.done.then(() => left.abort())
  const release = (given?: Answer): void => place.release(given, arrival.number)
  if (!forwarder) {
    const { afterMs } = wordFor(arrival.number, words)
    if (afterMs === undefined) return null
    await clock.sleep(afterMs, left.signal)
    release()
    return null
  }
  const { answer: given, failure } = await forwarder.forward(arrival, left.signal)
  release(given)
  return failure
}

function tell(delivery: Delivery, outcome: Outcome, { io, json, counts }: Listener): void {
  count(counts, delivery, outcome)
  io.out(json ? programLine(delivery, outcome) : personLine(delivery, outcome, io.colour))
}

function greet({ host, port }: Inbox, { io, json, secret }: Listener): void {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
  if (json) return io.out(`${JSON.stringify({ is: 'listening', url })}\n`)
  const checks =
    secret === null ? 'Signatures are not checked: give --secret for that.' : 'Signatures are checked.'
  io.err(`Listening at ${url} and every path below. ${checks} Ctrl-C ends it.\n`)
}

function sum({ io, json, counts }: Listener): void {
  if (json) io.out(`${JSON.stringify({ is: 'summary', ...counts })}\n`)
  else io.err(summaryLine(counts))
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
