/**
 * Model-based test of idempotency keys: turns, replays, conflicts and bad requests in any order, each compared with
 * the state of its key in the model. A failing sequence is shrunk.
 */
import * as fc from 'fast-check'
import type { ClauseId } from '../../../spec/index.ts'
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario, type Judgement, type ChatRequest, type Driver } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { eachRequest, withName, type SequenceRequest } from '../assertions/models/model-requests.ts'
import { given, inconclusive, notApplicable } from '../../scenario/expect.ts'
import { noSecondRun, replayed, taken } from '../../assertions/once.ts'
import { oneDone } from '../assertions/streams/replayed-stream.ts'
import { isReplay, isStream } from '../../assertions/reply.ts'
import { asked, refusedBeside, replied, conversationOf } from '../../assertions/turn.ts'

const carriers = ['body', 'Idempotency-Key', 'X-Idempotency-Key'] as const

/** The turn of a request, from which the request is built again with at most one change. */
interface Turn {
  message: string
  key: string
  carrier: number
  stream: boolean
  /** The conversation that the turn continues. */
  conversation_id?: string
  /** The conversation of the reply. */
  answeredIn?: string | null
}

type Source = Pick<Driver, 'key' | 'text'>

/** `at` is an index, modulo the number of turns. */
type Command = (turns: readonly Turn[], at: number, source: Source) => Turn | ChatRequest | null

interface ChatCommand {
  is: CommandName
  at: number
}

const fresh = ({ key, text }: Source, carrier: number, stream = false): Turn => ({
  message: text(40),
  key: key(),
  carrier: carrier % carriers.length,
  stream,
})

/** Changes one of the earlier turns; null if there is none. */
const ofTurn =
  (change: (turn: Turn, source: Source) => Turn): Command =>
  (turns, at, source) => {
    const turn = turns[at % turns.length]
    return turn ? change(turn, source) : null
  }

/** By the name of their exchanges in the scenario, which the judges use. */
const commands = {
  turn: (_, at, source) => fresh(source, at),
  streamed: (_, at, source) => fresh(source, at, true),
  onward: (turns, at, source) => {
    const conversation_id = turns[at % turns.length]?.answeredIn
    return typeof conversation_id === 'string' ? { ...fresh(source, 0), conversation_id } : null
  },
  again: ofTurn((turn) => turn),
  otherMessage: ofTurn((turn, { text }) => ({ ...turn, message: text(60), stream: false })),
  otherMode: ofTurn((turn) => ({ ...turn, stream: !turn.stream })),
  otherCarrier: ofTurn((turn) => ({ ...turn, carrier: (turn.carrier + 1) % carriers.length })),
  empty: (_turns, _at, { key }) => ({ message: '', idempotency_key: key() }),
  keyless: (_turns, _at, { text }) => ({ message: text(40), idempotency_key: null }),
} as const satisfies Readonly<Record<string, Command>>
type CommandName = keyof typeof commands
const commandNames = Object.keys(commands) as readonly CommandName[]

/** Replays are most frequent, since most faults of a record are detected by them. */
const weights: Partial<Record<CommandName, number>> = { turn: 3, streamed: 2, again: 4, otherMode: 2 }

const chatModelCommand: fc.Arbitrary<ChatCommand> = fc.record({
  is: fc.oneof(...commandNames.map((name) => ({ weight: weights[name] ?? 1, arbitrary: fc.constant(name) }))),
  at: fc.nat(5),
})

function requestOf(turn: Turn): ChatRequest {
  const { message, key, carrier, stream, conversation_id } = turn
  const header = carriers[carrier]
  return {
    message,
    stream,
    ...(conversation_id === undefined ? {} : { conversation_id }),
    ...(header === undefined || header === 'body'
      ? { idempotency_key: key }
      : { idempotency_key: null, headers: [[header, key]] }),
  }
}

const isTurn = (request: Turn | ChatRequest): request is Turn => 'carrier' in request

async function runChatSequence(t: Driver<`${CommandName}[]`>, steps: readonly ChatCommand[]): Promise<void> {
  const turns: Turn[] = []
  for (const { is, at } of steps) {
    const request = commands[is](turns, at, t)
    // If there is no turn to refer to yet, a new one is sent instead.
    const [name, sent] = request === null ? (['turn', commands.turn(turns, at, t)] as const) : [is, request]
    const exchange = await t.add(name, isTurn(sent) ? requestOf(sent) : sent)
    if (isTurn(sent) && turns.every(({ key }) => key !== sent.key))
      turns.push({ ...sent, answeredIn: conversationOf(exchange) })
  }
}

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
  'IDEM-CARRIER-HEADER': eachRequest(shows('idempotency-key'), takenAndKept),
  'IDEM-CARRIER-X-HEADER': eachRequest(shows('x-idempotency-key'), takenAndKept),
  'IDEM-REPLAY-AGAIN': eachRequest((step) => again(step) && !afterConflict(step), repliedAgain),
  'IDEM-CONFLICT-UNCHANGED': eachRequest((step) => again(step) && afterConflict(step), repliedAgain),
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
