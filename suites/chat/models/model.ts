/**
 * Model-based test of idempotency keys: turns, replays, conflicts and bad requests in any order, each compared with
 * the state of its key in the model. A failing sequence is shrunk.
 */
import type { ClauseId } from '../../../spec/index.ts'
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import {
  commandNames,
  chatModelCommand,
  runChatSequence,
  type CommandName,
  type ChatCommand,
} from './chat-commands.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { eachRequest, withName, type SequenceRequest } from '../assertions/models/model-requests.ts'
import { given, inconclusive, notApplicable } from '../../scenario/expect.ts'
import { conflict, noSecondRun, ran, replayed, taken } from '../../assertions/once.ts'
import { oneDone, replayedStream, sameInDone } from '../assertions/streams/replayed-stream.ts'
import { isReplay, isStream, sameField } from '../../assertions/reply.ts'
import { asked, refusedBeside, replied } from '../../assertions/turn.ts'

/**
 * Expectations for each request of a sequence without concurrency, by the command that sent it (its name) and the
 * earlier requests with its key. No command does what the contract leaves open.
 */

/** Commands that use a key for the first time. */
const turnCommands: readonly string[] = ['turn', 'streamed', 'onward']

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

const fromJson = ({ first }: SequenceRequest): boolean => asked(first)?.['stream'] !== true
const repliedAgain = ({ first, exchange }: SequenceRequest): Judgement => replayed(first, exchange)

/** A bad request counts only if an earlier one in the same sequence was accepted. */
function refusedAsBad({ exchange, before }: SequenceRequest): Judgement {
  const accepted = before.find((one) => turnCommands.includes(one.name) && replied(one).is === 'pass')
  return accepted
    ? refusedBeside(accepted, exchange, 400)
    : inconclusive('nothing was accepted before the bad request')
}

const keyModel = {
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

const lists = commandNames.map((name): `${CommandName}[]` => `${name}[]`)

const sequence = (...steps: readonly (readonly [CommandName, number])[]): readonly ChatCommand[] =>
  steps.map(([is, at]) => ({ is, at }))

/** Together they have each command, in the orders that detect most faults of a record. */
const openings: readonly (readonly ChatCommand[])[] = [
  sequence(
    ['turn', 0],
    ['again', 0],
    ['otherMessage', 0],
    ['again', 0],
    ['otherMode', 0],
    ['empty', 0],
    ['again', 0],
    ['otherCarrier', 0],
    ['otherMessage', 0],
    ['again', 0],
  ),
  sequence(['streamed', 0], ['again', 0], ['otherMode', 0], ['keyless', 0], ['again', 0], ['onward', 0]),
  sequence(['turn', 1], ['again', 0], ['turn', 2], ['again', 1], ['otherCarrier', 1], ['again', 0]),
]

const modelScenario = <C extends ClauseId>(
  extent: Extent,
  profile: Profile,
  judges: Readonly<Record<C, SequenceJudge>>,
) =>
  scenario({
    title: `in ${extent.runs} random sequences of up to ${extent.longest} requests every key is in the expected state`,
    exchanges: lists,
    cost: { requests: mostRequestsOf(extent), turns: mostRequestsOf(extent), inOneGo: 1 },
    profile,
    run: (t) =>
      runModelTest(t, {
        ...extent,
        sequence: sequences(chatModelCommand, extent),
        first: openings.map((steps) => steps.slice(0, extent.longest)).slice(0, extent.runs - 1),
        run: (steps) => runChatSequence(t, steps),
        judges,
      }),
    judge: overSequences<`${CommandName}[]`, C>(judges, (scenario) =>
      commandNames.flatMap((name) => scenario[name]),
    ),
  })

/** The clauses that the beginning of the first sequence always shows. */
const short = {
  'IDEM-REPLAY-AGAIN': keyModel['IDEM-REPLAY-AGAIN'],
  'IDEM-CONFLICT-UNCHANGED': keyModel['IDEM-CONFLICT-UNCHANGED'],
  'IDEM-OTHER-MODE': keyModel['IDEM-OTHER-MODE'],
}

export const few = modelScenario({ runs: 2, longest: 6, shrinkRequests: 12, confirm: 1 }, 'smoke', short)
export const some = modelScenario(
  { runs: 6, longest: 10, shrinkRequests: 40, confirm: 2 },
  'standard',
  keyModel,
)
export const many = modelScenario(
  { runs: 60, longest: 16, shrinkRequests: 120, confirm: 5 },
  'exhaustive',
  keyModel,
)
