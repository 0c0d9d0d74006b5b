/**
 * Drawn courses of turns, replays, conflicts and bad requests in any order, each request held against a model of
 * what its key has to be by then. A course that fails is made small.
 */
import type { ClauseId } from '../../../spec/index.ts'
import { overCourses, type CourseJudge } from '../../models/sequences.ts'
import { courses, explore, requestsOf, type Extent } from '../../models/explore.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { keyModel } from '../assertions/models/chat-model.ts'
import { commandNames, step, walk, type CommandName, type Step } from './chat-commands.ts'

const lists = commandNames.map((name): `${CommandName}[]` => `${name}[]`)

const told = (...steps: readonly (readonly [CommandName, number])[]): readonly Step[] =>
  steps.map(([is, at]) => ({ is, at }))

/** Have each kind of step between them, in the orders in which most that is remembered wrongly shows. */
const openings: readonly (readonly Step[])[] = [
  told(
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
  told(['streamed', 0], ['again', 0], ['otherMode', 0], ['keyless', 0], ['again', 0], ['onward', 0]),
  told(['turn', 1], ['again', 0], ['turn', 2], ['again', 1], ['otherCarrier', 1], ['again', 0]),
]

const model = <C extends ClauseId>(
  extent: Extent,
  profile: Profile,
  judges: Readonly<Record<C, CourseJudge>>,
) =>
  scenario({
    title: `in ${extent.runs} drawn courses of up to ${extent.longest} requests every key is what it has to be`,
    exchanges: lists,
    cost: { requests: requestsOf(extent), turns: requestsOf(extent), inOneGo: 1 },
    profile,
    run: (t) =>
      explore(t, {
        ...extent,
        course: courses(step, extent),
        first: openings.map((steps) => steps.slice(0, extent.longest)).slice(0, extent.runs - 1),
        walk: (steps) => walk(t, steps),
        judges,
      }),
    judge: overCourses<`${CommandName}[]`, C>(judges, (scenario) =>
      commandNames.flatMap((name) => scenario[name]),
    ),
  })

/** What the beginning of the first opening shows for sure. */
const short = {
  'IDEM-REPLAY-AGAIN': keyModel['IDEM-REPLAY-AGAIN'],
  'IDEM-CONFLICT-UNCHANGED': keyModel['IDEM-CONFLICT-UNCHANGED'],
  'IDEM-OTHER-MODE': keyModel['IDEM-OTHER-MODE'],
}

export const few = model({ runs: 2, longest: 6, shrinkRequests: 12, confirm: 1 }, 'smoke', short)
export const some = model({ runs: 8, longest: 10, shrinkRequests: 40, confirm: 2 }, 'standard', keyModel)
export const many = model({ runs: 60, longest: 16, shrinkRequests: 120, confirm: 5 }, 'exhaustive', keyModel)
