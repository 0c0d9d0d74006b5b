/** Model-based test of charges: between two turns that ran, nothing else was charged. */
import { overSequences } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { creditsModel } from '../assertions/models/chat-model-credits.ts'
import {
  commandNames,
  chatModelCommand,
  runChatSequence,
  type CommandName,
  type ChatCommand,
} from './chat-commands.ts'

const lists = commandNames.map((name): `${CommandName}[]` => `${name}[]`)

const plain: ChatCommand = { is: 'turn', at: 0 }
/** Two consecutive turns show how the balance changes; the last one shows what was charged before it. */
const around = (steps: readonly ChatCommand[]): readonly ChatCommand[] => [plain, plain, ...steps, plain]

/** Has each kind of free command, each between two turns. */
const opening: readonly ChatCommand[] = (
  [
    ['again', 0],
    ['turn', 0],
    ['otherMessage', 0],
    ['turn', 0],
    ['streamed', 0],
    ['again', 4],
    ['turn', 0],
    ['empty', 0],
    ['keyless', 0],
  ] as const
).map(([is, at]) => ({ is, at }))

const modelScenario = (extent: Extent, profile: Profile) =>
  scenario({
    title: `in ${extent.runs} random sequences of up to ${extent.longest} requests only turns are charged`,
    exchanges: lists,
    needs: { exclusiveCredits: true },
    cost: { requests: mostRequestsOf(extent), turns: mostRequestsOf(extent), inOneGo: 1 },
    profile,
    run: (t) =>
      runModelTest(t, {
        ...extent,
        sequence: sequences(chatModelCommand, extent),
        first: [opening],
        run: (steps) => runChatSequence(t, around(steps)),
        judges: creditsModel,
      }),
    judge: overSequences<`${CommandName}[]`, keyof typeof creditsModel>(creditsModel, (scenario) =>
      commandNames.flatMap((name) => scenario[name]),
    ),
  })

export const some = modelScenario(
  { runs: 4, longest: 9, beside: 3, shrinkRequests: 60, confirm: 2 },
  'standard',
)
export const many = modelScenario(
  { runs: 40, longest: 9, beside: 3, shrinkRequests: 150, confirm: 5 },
  'exhaustive',
)
