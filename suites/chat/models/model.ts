/**
 * Model-based test of idempotency keys: turns, replays, conflicts and bad requests in any order, each compared with
 * the state of its key in the model. A failing sequence is shrunk.
 */
import type { ClauseId } from '../../../spec/index.ts'
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { keyModel } from '../assertions/models/chat-model.ts'
import {
  commandNames,
  chatModelCommand,
  runChatSequence,
  type CommandName,
  type ChatCommand,
} from './chat-commands.ts'

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
