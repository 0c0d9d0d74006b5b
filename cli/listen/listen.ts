/** `touchstone listen`: a receiver of webhooks for a person, until it is stopped. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { toLine } from '../../bundle/journal/codec.ts'
import { counted } from '../../reports/document/blocks.ts'
import type { Arrival, InboundPlace } from '../../suites/inbound/place.ts'
import { createInbox } from '../../suites/inbound/server.ts'
import { inboundExchange } from '../../suites/runner/receiver/arrivals.ts'
import { took2xx } from '../../suites/webhooks/assertions/deliveries.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { identified, type Exchange } from '../../suites/wire/exchange.ts'
import type { ListenOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { aborted, codeOf, secret as secretOf } from '../values.ts'
import { identifiersFrom } from '../options.ts'
import { wordFor } from './answers.ts'
import {
  arrivalLine,
  knownIds,
  listenedDelivery,
  personLine,
  programLine,
  type DeliveryOutcome,
  type ListenedDelivery,
} from './delivery.ts'
import { createForwarder } from './forward.ts'

/** Ids that are remembered, so that listening for a week needs no more memory than for an hour. */
const idsRemembered = 100_000

const garbage = {
  tls: 'Something came that speaks TLS: give the webhook an address that begins with http://.\n',
  unknown: 'Something came that is no HTTP request; it was answered 400.\n',
}

/** Each request is printed as it arrives: one kept would be a body of up to a megabyte that nobody reads again. */
const nothingKept = { placeLimit: 1, beyondLimit: 'forget' } as const

type Listener = ReturnType<typeof listenerOf>

function listenerOf(
  { secret, answer: words = [], forward, record, json = false, ...vendor }: ListenOptions,
  io: Io,
) {
  if (forward !== undefined && words.length > 0)
    throw new UsageError('--forward and --answer contradict one another: leave one away.')
  return {
    io,
    clock: realClock(),
    json,
    words,
    /** Of the service that delivers. */
    identifiers: identifiersFrom(vendor),
    secret: secret === undefined ? null : secretOf('--secret', secret, io.env),
    forwarder: forward === undefined ? null : createForwarder(forward),
    recording: record === undefined ? null : openRecording(record),
    known: knownIds(idsRemembered),
    counts: noCounts(),
  }
}

export async function listen(options: ListenOptions, io: Io): Promise<number> {
  const { stopped } = io
  const { host, port } = options
  const listener = listenerOf(options, io)
  const { clock, forwarder, recording, counts, words, json, secret } = listener
  const onGarbage = (is: keyof typeof garbage): void => io.err(garbage[is])
  const inbox = await createInbox({ clock, host, port, ...nothingKept, onGarbage }).catch(
    (error: unknown) => {
      recording?.close()
      throw error
    },
  )
  const failed = Promise.withResolvers<never>()
  /** Those that are not reported yet. */
  const open = new Set<Promise<void>>()
  const place = inbox.open('/', (arrival) => {
    const reported = attend(arrival, place, listener).catch(failed.reject)
    open.add(reported)
    void reported.finally(() => open.delete(reported))
  })
  place.script(...(forwarder ? ['hold' as const] : words.map(({ answer }) => answer)))
  const url = `http://${inbox.host.includes(':') ? `[${inbox.host}]` : inbox.host}:${inbox.port}/`
  const checks = secret === null ? 'are not checked: give --secret for that.' : 'are checked.'
  if (json) io.out(`${JSON.stringify({ is: 'listening', url })}\n`)
  else io.err(`Listening at ${url} and every path below. Signatures ${checks} Ctrl-C ends it.\n`)
  try {
    await Promise.race([aborted(stopped), failed.promise])
  } finally {
    await inbox.close()
    await Promise.all(open)
    await forwarder?.close()
    recording?.close()
    if (json) io.out(`${JSON.stringify({ is: 'summary', ...counts })}\n`)
    else io.err(summaryLine(counts))
  }
  // What was reported only while it closed may have failed too.
  return Promise.race([failed.promise, Promise.resolve(exitCodes.ok)])
}

async function attend(arrival: Arrival, place: InboundPlace, listener: Listener): Promise<void> {
  const { clock, known, secret, recording, identifiers, io, json, counts, words, forwarder } = listener
  const { number } = arrival
  const about = { scenario: 'listen', name: 'delivery', place: '/', ahead: 0, aheadAtEnd: 0 }
  const exchangeOf = (answered: Parameters<typeof inboundExchange>[1]): Exchange =>
    identified(inboundExchange(arrival, answered, { id: number, ...about }), identifiers)
  const at = new Date(Date.parse(clock.wall()) - (clock.now() - arrival.at)).toISOString()
  const delivery = listenedDelivery(exchangeOf({ at: arrival.at, end: 'open' }), { at, secret, known })
  const slow: readonly unknown[] = ['hold', 'hang', 'drip']
  if (!json && !forwarder && slow.includes(wordFor(number, words).answer)) io.err(arrivalLine(delivery))
  const notForwarded = await answer(arrival, place, listener)
  const answered = await arrival.done
  const exchange = exchangeOf(answered)
  if (delivery.id !== null && answered.end === 'answered' && took2xx(exchange)) known.delivered(delivery.id)
  recording?.add(exchange)
  const outcome = { answered, tookMs: answered.at - arrival.at, notForwarded }
  count(counts, delivery, outcome)
  io.out(json ? programLine(delivery, outcome) : personLine(delivery, outcome, io.colour))
}

/** Answers what the script holds. Why it could not be forwarded, or null. */
async function answer(
  arrival: Arrival,
  place: InboundPlace,
  { clock, words, forwarder }: Listener,
): Promise<string | null> {
  const left = new AbortController()
  void arrival.done.then(() => left.abort())
  if (forwarder) {
    const { answer: given, failure } = await forwarder.forward(arrival, left.signal)
    place.release(given, arrival.number)
    return failure
  }
  const { afterMs } = wordFor(arrival.number, words)
  if (afterMs === undefined) return null
  await clock.sleep(afterMs, left.signal)
  place.release(undefined, arrival.number)
  return null
}

/** Lines that a journal is made of, in place of what is there. Throws a UsageError where they cannot be written. */
function openRecording(path: string) {
  const orRefuse = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw new UsageError(`--record ${path}: cannot be written (${codeOf(error)}); give another file.`)
    }
  }
  // For its owner alone: custom headers may hold secrets.
  const file = orRefuse(() => openSync(path, 'w', 0o600))
  return {
    add: (exchange: Exchange) => void orRefuse(() => writeSync(file, `${toLine(exchange)}\n`)),
    close: () => closeSync(file),
  }
}

const noCounts = () => ({
  requests: 0,
  /** Different delivery ids, as long as they are remembered. */
  deliveries: 0,
  tests: 0,
  duplicates: 0,
  wrongSignatures: 0,
  malformed: 0,
  /** By status; `none` where no answer went out. */
  answers: {} as Record<string, number>,
})
type Counts = ReturnType<typeof noCounts>

function count(counts: Counts, delivery: ListenedDelivery, { answered: { status } }: DeliveryOutcome): void {
  const { id, attempt, test, duplicate, signature, problems } = delivery
  counts.requests += 1
  if (id !== null && attempt === 1) counts.deliveries += 1
  if (test && attempt === 1) counts.tests += 1
  if (duplicate) counts.duplicates += 1
  if (signature === 'wrong' || signature === 'missing') counts.wrongSignatures += 1
  if (problems.length > 0) counts.malformed += 1
  const answer = String(status ?? 'none')
  counts.answers[answer] = (counts.answers[answer] ?? 0) + 1
}

/** `3 requests: 1 delivery, 0 tests …`, without what did not occur. */
function summaryLine(counts: Counts): string {
  const { requests, deliveries, tests, duplicates, wrongSignatures, malformed, answers } = counts
  const kinds: readonly Parameters<typeof counted>[] = [
    [deliveries, 'delivery', 'deliveries'],
    [tests, 'of them a test', 'of them tests'],
    [duplicates, 'duplicate'],
    [wrongSignatures, 'signature wrong or missing', 'signatures wrong or missing'],
    [malformed, 'malformed', 'malformed'],
  ]
  const said = [
    ...kinds.flatMap((kind) => (kind[0] === 0 ? [] : counted(...kind))),
    ...Object.entries(answers).map(
      ([status, times]) => `${times} × ${status === 'none' ? 'no answer' : status}`,
    ),
  ]
  if (requests === 0) return 'no requests\n'
  return `${counted(requests, 'request')}: ${said.join(', ')}\n`
}
