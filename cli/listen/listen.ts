/** `touchstone listen`: a receiver of webhooks for a person, until it is stopped. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { toLine } from '../../bundle/journal/codec.ts'
import { counted } from '../../reports/document/blocks.ts'
import { Agent } from 'undici'
import type { Arrival, InboundAnswer, InboundPlace } from '../../suites/inbound/place.ts'
import { createInbox } from '../../suites/inbound/server.ts'
import { inboundExchange } from '../../suites/runner/receiver/arrivals.ts'
import { took2xx } from '../../suites/webhooks/assertions/deliveries.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { identified, type Exchange, type Header } from '../../suites/wire/exchange.ts'
import type { ListenOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import { pairs, passedOn } from '../proxy/forward.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import {
  aborted,
  endpointAt,
  codeOf,
  mustLeadElsewhere,
  systemReason,
  secret as secretOf,
} from '../values.ts'
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

/** Ids that are remembered, so that listening for a week needs no more memory than for an hour. */
const idsRemembered = 100_000

const garbage = {
  tls: 'Something came that speaks TLS: give the webhook an address that begins with http://.\n',
  unknown: 'Something came that is no HTTP request; it was answered 400.\n',
}

/** Each request is printed as it arrives: one kept would be a body of up to a megabyte that is not read again. */
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
  if (options.forward !== undefined)
    mustLeadElsewhere(`--forward ${options.forward}`, options.forward, options)
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
  const open = new Set<Promise<void>>()
  const place = inbox.open('/', (arrival) => {
    const reported = attend(arrival, place, listener).catch(failed.reject)
    open.add(reported)
    void reported.finally(() => open.delete(reported))
  })
  place.script(...(forwarder ? ['hold' as const] : words.map(({ answer }) => answer)))
  // An endpoint without https is accepted at localhost only.
  const name = inbox.host === '127.0.0.1' ? 'localhost' : inbox.host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${inbox.port}/`
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
      throw new UsageError(`--record ${path}: cannot be written (${systemReason(error)}); give another file.`)
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

interface Forwarded {
  answer: InboundAnswer
  /** Why the local server did not answer; it is answered 502 then. */
  failure: string | null
}

/** Bytes of an answer, which is held in memory as a whole: no sender reads as much. */
const answerMost = 16 * 1024 * 1024

function createForwarder(address: string) {
  const url = endpointAt('--forward', address)
  // HTTP/1.1 only, so that header names keep their casing.
  const agent = new Agent({ allowH2: false, maxResponseSize: answerMost })
  return {
    /** Answers with what a local server answers. Never rejects. `signal` gives it up. */
    async forward({ method, headers, body, cut }: Arrival, signal: AbortSignal): Promise<Forwarded> {
      if (cut) return unreached('the body is too large')
      try {
        const answer = await agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers: carried(headers).flat(),
          body: body.length > 0 ? body : null,
          responseHeaders: 'raw',
          signal,
        })
        const bytes = await answer.body.bytes()
        // With `responseHeaders: 'raw'` they are one flat list of strings or buffers, whatever their type says.
        const back = carried(pairs(Object.values(answer.headers).map(String)))
        return { answer: { status: answer.statusCode, headers: back, body: bytes }, failure: null }
      } catch (error) {
        // A sender that left needs no answer.
        if (signal.aborted) return { answer: 'hang', failure: null }
        // Without its query, in which there may be a token.
        return unreached(`${url.origin}${url.pathname}: ${codeOf(error)}`)
      }
    },
    close: () => agent.destroy(),
  }
}

const unreached = (failure: string): Forwarded => ({ answer: { status: 502 }, failure })

const carried = (headers: readonly Header[]): readonly Header[] =>
  passedOn(headers).filter(([name]) => !/^(?:host|content-length|expect)$/i.test(name))
