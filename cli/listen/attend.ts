/** What a listener does with each request: reads it, answers it, records it and reports it. */
import type { Identifiers } from '../../spec/identifiers.ts'
import { inboundExchange } from '../../suites/runner/receiver/arrivals.ts'
import type { InboundAnswer, Arrival, InboundPlace } from '../../suites/inbound/inbox.ts'
import { took2xx } from '../../suites/webhooks/assertions/deliveries.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import { identified, type Exchange } from '../../suites/wire/exchange.ts'
import type { Io } from '../io.ts'
import { wordFor, type Word } from './answers.ts'
import { listenedDelivery, type ListenedDelivery } from './delivery.ts'
import type { Forwarder } from './forward.ts'
import type { KnownIds } from './known-ids.ts'
import { arrivalLine, personLine, programLine, type DeliveryOutcome } from './line.ts'
import type { Recording } from './recording.ts'
import { count, type Counts } from './summary.ts'

export interface Listener {
  readonly io: Io
  readonly clock: Clock
  /** Of the service that delivers. */
  readonly identifiers: Identifiers
  readonly json: boolean
  readonly secret: string | null
  readonly words: readonly Word[]
  readonly forwarder: Forwarder | null
  readonly recording: Recording | null
  readonly known: KnownIds
  readonly counts: Counts
  /** Those that are not reported yet. */
  readonly open: Set<Promise<void>>
}

export async function attend(arrival: Arrival, place: InboundPlace, listener: Listener): Promise<void> {
  const { clock, known, secret, recording, identifiers } = listener
  const exchangeOf = (answered: Parameters<typeof inboundExchange>[1]): Exchange =>
    identified(arrived(arrival, answered), identifiers)
  const at = new Date(Date.parse(clock.wall()) - (clock.now() - arrival.at)).toISOString()
  const delivery = listenedDelivery(exchangeOf({ at: arrival.at, end: 'open' }), { at, secret, known })
  if (waits(arrival, listener)) listener.io.err(arrivalLine(delivery))
  const notForwarded = await answer(arrival, place, listener)
  const answered = await arrival.done
  const exchange = exchangeOf(answered)
  if (delivery.id !== null && answered.end === 'answered' && took2xx(exchange)) known.delivered(delivery.id)
  recording?.add(exchange)
  report(delivery, { answered, tookMs: answered.at - arrival.at, notForwarded }, listener)
}

function arrived(arrival: Arrival, answered: Parameters<typeof inboundExchange>[1]): Exchange {
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

/** Whether the delivery takes long to answer and nothing else is printed meanwhile. */
function waits({ number }: Arrival, { words, json, forwarder }: Listener): boolean {
  return (
    !json && !forwarder && ['hold', 'hang', 'drip'].some((slow) => slow === wordFor(number, words).answer)
  )
}

/** Answers what the script holds. Why it could not be forwarded, or null. */
async function answer(
  arrival: Arrival,
  place: InboundPlace,
  { clock, words, forwarder }: Listener,
): Promise<string | null> {
  const left = new AbortController()
  void arrival.done.then(() => left.abort())
  const release = (given?: InboundAnswer): void => place.release(given, arrival.number)
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

function report(delivery: ListenedDelivery, outcome: DeliveryOutcome, { io, json, counts }: Listener): void {
  count(counts, delivery, outcome)
  io.out(json ? programLine(delivery, outcome) : personLine(delivery, outcome, io.colour))
}
