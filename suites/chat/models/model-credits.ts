/** Drawn courses, looked at for what they cost: between two turns that ran, nothing that is free was charged. */
import { overCourses } from '../../models/sequences.ts'
import { courses, explore, requestsOf, type Extent } from '../../models/explore.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { creditsModel } from '../assertions/models/chat-model-credits.ts'
import { commandNames, step, walk, type CommandName, type Step } from './chat-commands.ts'

const lists = commandNames.map((name): `${CommandName}[]` => `${name}[]`)

const plain: Step = { is: 'turn', at: 0 }
/** Two turns next to one another show how the balance moves; the last one shows what was charged before it. */
const around = (steps: readonly Step[]): readonly Step[] => [plain, plain, ...steps, plain]

/** Has each kind of step that is free, each between two turns. */
const opening: readonly Step[] = (
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

const model = (extent: Extent, profile: Profile) =>
  scenario({
    title: `in ${extent.runs} drawn courses of up to ${extent.longest} requests only turns are charged`,
    exchanges: lists,
    needs: { exclusiveCredits: true },
    cost: { requests: requestsOf(extent), turns: requestsOf(extent), inOneGo: 1 },
    profile,
    run: (t) =>
      explore(t, {
        ...extent,
        course: courses(step, extent),
        first: [opening],
        walk: (steps) => walk(t, around(steps)),
        judges: creditsModel,
      }),
    judge: overCourses<`${CommandName}[]`, keyof typeof creditsModel>(creditsModel, (scenario) =>
      commandNames.flatMap((name) => scenario[name]),
    ),
  })

export const some = model({ runs: 6, longest: 9, beside: 3, shrinkRequests: 60, confirm: 2 }, 'standard')
export const many = model({ runs: 40, longest: 9, beside: 3, shrinkRequests: 150, confirm: 5 }, 'exhaustive')
