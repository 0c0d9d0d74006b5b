/**
 * What each request of a course has to meet, sent one after another: told by the kind of step, which is its name,
 * and by what was sent with the same key before it. What the contract leaves open is no kind of step.
 */
import type { CourseJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { each, named, type Step } from './model-requests.ts'
import { given, inconclusive, notApplicable } from '../../../scenario/expect.ts'
import { conflict, noSecondRun, ran, replayed, taken } from '../../../assertions/once.ts'
import { oneDone, replayedStream, sameInDone } from '../streams/replayed-stream.ts'
import { isReplay, isStream, sameField } from '../../../assertions/reply.ts'
import { asked, refusedBeside, replied } from '../../../assertions/turn.ts'

/** Steps that use a key for the first time. */
export const turns: readonly string[] = ['turn', 'streamed', 'onward']

const wantsStream = (exchange: Exchange): boolean => asked(exchange)?.['stream'] === true

type Carrier = 'body' | 'idempotency-key' | 'x-idempotency-key'
const begins =
  (carrier: Carrier) =>
  ({ exchange }: Step): boolean =>
    exchange.name !== 'onward' && turns.includes(exchange.name) && carrierOf(exchange) === carrier

/** A turn with its key so carried, and the first replay of it. */
const shows =
  (carrier: Carrier) =>
  (step: Step): boolean =>
    begins(carrier)(step) ||
    (named('again')(step) && carrierOf(step.first) === carrier && !step.between.some(isReplay))

function takenAndKept({ first, exchange }: Step): Judgement {
  return first === exchange ? taken(exchange) : replayed(first, exchange)
}

function carrierOf({ request }: Exchange): Carrier {
  const names = request.headers.map(([name]) => name.toLowerCase())
  return (['idempotency-key', 'x-idempotency-key'] as const).find((name) => names.includes(name)) ?? 'body'
}

/** That a key in a header counts at all is judged by the first replay of it; what else it does, from then on. */
function counts({ first, between }: Step): boolean {
  return carrierOf(first) === 'body' || between.some((one) => one.name === 'again' && isReplay(one))
}

const of =
  (...names: readonly string[]) =>
  (step: Step): boolean =>
    counts(step) && names.includes(step.exchange.name)
const again = of('again')

/** There was a conflict since the key was last seen to be kept. */
function disturbed({ between }: Step): boolean {
  const kept = between.findLastIndex((one) => one.name === 'again' && isReplay(one))
  return between.slice(kept + 1).some(({ name }) => name === 'otherMessage')
}

const fromJson = ({ first }: Step): boolean => !wantsStream(first)
const repliedAgain = ({ first, exchange }: Step): Judgement => replayed(first, exchange)

/** A bad request counts beside one that was accepted before it in the same course. */
function refusedAsBad({ exchange, before }: Step): Judgement {
  const accepted = before.find((one) => turns.includes(one.name) && replied(one).is === 'pass')
  return accepted
    ? refusedBeside(accepted, exchange, 400)
    : inconclusive('nothing was accepted before the bad request')
}

export const keyModel = {
  'IDEM-FRESH-UNMARKED': each(begins('body'), ({ exchange }) => ran(exchange)),
  'IDEM-CARRIER-HEADER': each(shows('idempotency-key'), takenAndKept),
  'IDEM-CARRIER-X-HEADER': each(shows('x-idempotency-key'), takenAndKept),
  'IDEM-REPLAY-AGAIN': each((step) => again(step) && !disturbed(step), repliedAgain),
  'IDEM-CONFLICT-UNCHANGED': each((step) => again(step) && disturbed(step), repliedAgain),
  'IDEM-REPLAY-RESPONSE': each(
    (step) => again(step) && fromJson(step),
    (step) => given(repliedAgain(step), () => sameField(step.first, step.exchange, 'response')),
  ),
  'IDEM-STREAM-REPLAY-RESPONSE': each(
    (step) => again(step) && !fromJson(step),
    (step) => given(repliedAgain(step), () => sameInDone(step.first, step.exchange, 'response')),
  ),
  'IDEM-STREAM-REPLAY-ONE-DONE': each(
    (step) => again(step) && !fromJson(step),
    ({ first, exchange }) => replayedStream(first, exchange),
  ),
  'IDEM-CONFLICT-STATUS': each(of('otherMessage'), ({ first, exchange }) =>
    refusedBeside(first, exchange, 409),
  ),
  'IDEM-CONFLICT-CODE': each(of('otherMessage'), ({ first, exchange }) =>
    given(refusedBeside(first, exchange, 409), () => conflict(first, exchange)),
  ),
  'IDEM-OTHER-MODE': each(of('otherMode'), ({ first, exchange }) => noSecondRun(first, exchange)),
  'IDEM-OTHER-MODE-ONE-DONE': each(
    (step) => of('otherMode')(step) && fromJson(step),
    ({ first, exchange }) =>
      given(replied(first), () =>
        isReplay(exchange) && isStream(exchange)
          ? oneDone(exchange)
          : notApplicable('a turn answered as JSON is not replayed as a stream here'),
      ),
  ),
  'IDEM-CARRIER-ONE': each(of('otherCarrier'), ({ first, exchange }) => noSecondRun(first, exchange)),
  'REQ-MESSAGE-EMPTY': each(named('empty'), refusedAsBad),
  'IDEM-KEY-REQUIRED': each(named('keyless'), refusedAsBad),
} as const satisfies Readonly<Record<string, CourseJudge>>
