/**
 * Expectations for each request of a sequence without concurrency, by the command that sent it (its name) and the
 * earlier requests with its key. No command does what the contract leaves open.
 */
import type { SequenceJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { eachRequest, withName, type SequenceRequest } from './model-requests.ts'
import { given, inconclusive, notApplicable } from '../../../scenario/expect.ts'
import { conflict, noSecondRun, ran, replayed, taken } from '../../../assertions/once.ts'
import { oneDone, replayedStream, sameInDone } from '../streams/replayed-stream.ts'
import { isReplay, isStream, sameField } from '../../../assertions/reply.ts'
import { asked, refusedBeside, replied } from '../../../assertions/turn.ts'

/** Commands that use a key for the first time. */
export const turnCommands: readonly string[] = ['turn', 'streamed', 'onward']

const wantsStream = (exchange: Exchange): boolean => asked(exchange)?.['stream'] === true

type Carrier = 'body' | 'idempotency-key' | 'x-idempotency-key'
const begins =
  (carrier: Carrier) =>
  ({ exchange }: SequenceRequest): boolean =>
    exchange.name !== 'onward' && turnCommands.includes(exchange.name) && carrierOf(exchange) === carrier

/** A turn whose key has this carrier, or the first replay of it. */
const shows =
  (carrier: Carrier) =>
  (step: SequenceRequest): boolean =>
    begins(carrier)(step) ||
    (withName('again')(step) && carrierOf(step.first) === carrier && !step.between.some(isReplay))

function takenAndKept({ first, exchange }: SequenceRequest): Judgement {
  return first === exchange ? taken(exchange) : replayed(first, exchange)
}

function carrierOf({ request }: Exchange): Carrier {
  const names = request.headers.map(([name]) => name.toLowerCase())
  return (['idempotency-key', 'x-idempotency-key'] as const).find((name) => names.includes(name)) ?? 'body'
}

/** The first replay shows whether a key in a header counts at all; other expectations apply from then on. */
function counts({ first, between }: SequenceRequest): boolean {
  return carrierOf(first) === 'body' || between.some((one) => one.name === 'again' && isReplay(one))
}

const of =
  (...names: readonly string[]) =>
  (step: SequenceRequest): boolean =>
    counts(step) && names.includes(step.exchange.name)
const again = of('again')

/** A conflict occurred since the key last returned a replay. */
function afterConflict({ between }: SequenceRequest): boolean {
  const kept = between.findLastIndex((one) => one.name === 'again' && isReplay(one))
  return between.slice(kept + 1).some(({ name }) => name === 'otherMessage')
}

const fromJson = ({ first }: SequenceRequest): boolean => !wantsStream(first)
const repliedAgain = ({ first, exchange }: SequenceRequest): Judgement => replayed(first, exchange)

/** A bad request counts only if an earlier one in the same sequence was accepted. */
function refusedAsBad({ exchange, before }: SequenceRequest): Judgement {
  const accepted = before.find((one) => turnCommands.includes(one.name) && replied(one).is === 'pass')
  return accepted
    ? refusedBeside(accepted, exchange, 400)
    : inconclusive('nothing was accepted before the bad request')
}

export const keyModel = {
  'IDEM-FRESH-UNMARKED': eachRequest(begins('body'), ({ exchange }) => ran(exchange)),
  'IDEM-CARRIER-HEADER': eachRequest(shows('idempotency-key'), takenAndKept),
  'IDEM-CARRIER-X-HEADER': eachRequest(shows('x-idempotency-key'), takenAndKept),
  'IDEM-REPLAY-AGAIN': eachRequest((step) => again(step) && !afterConflict(step), repliedAgain),
  'IDEM-CONFLICT-UNCHANGED': eachRequest((step) => again(step) && afterConflict(step), repliedAgain),
  'IDEM-REPLAY-RESPONSE': eachRequest(
    (step) => again(step) && fromJson(step),
    (step) => given(repliedAgain(step), () => sameField(step.first, step.exchange, 'response')),
  ),
  'IDEM-STREAM-REPLAY-RESPONSE': eachRequest(
    (step) => again(step) && !fromJson(step),
    (step) => given(repliedAgain(step), () => sameInDone(step.first, step.exchange, 'response')),
  ),
  'IDEM-STREAM-REPLAY-ONE-DONE': eachRequest(
    (step) => again(step) && !fromJson(step),
    ({ first, exchange }) => replayedStream(first, exchange),
  ),
  'IDEM-CONFLICT-STATUS': eachRequest(of('otherMessage'), ({ first, exchange }) =>
    refusedBeside(first, exchange, 409),
  ),
  'IDEM-CONFLICT-CODE': eachRequest(of('otherMessage'), ({ first, exchange }) =>
    given(refusedBeside(first, exchange, 409), () => conflict(first, exchange)),
  ),
  'IDEM-OTHER-MODE': eachRequest(of('otherMode'), ({ first, exchange }) => noSecondRun(first, exchange)),
  'IDEM-OTHER-MODE-ONE-DONE': eachRequest(
    (step) => of('otherMode')(step) && fromJson(step),
    ({ first, exchange }) =>
      given(replied(first), () =>
        isReplay(exchange) && isStream(exchange)
          ? oneDone(exchange)
          : notApplicable('a turn answered as JSON is not replayed as a stream here'),
      ),
  ),
  'IDEM-CARRIER-ONE': eachRequest(of('otherCarrier'), ({ first, exchange }) => noSecondRun(first, exchange)),
  'REQ-MESSAGE-EMPTY': eachRequest(withName('empty'), refusedAsBad),
  'IDEM-KEY-REQUIRED': eachRequest(withName('keyless'), refusedAsBad),
} as const satisfies Readonly<Record<string, SequenceJudge>>
