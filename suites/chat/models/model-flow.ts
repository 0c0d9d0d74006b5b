/**
 * Drawn courses through a Workflow: buttons pressed, pressed again, and buttons of before, each held against a model
 * of which are current. Each course begins the Workflow anew.
 */
import * as fc from 'fast-check'
import { overCourses } from '../../models/sequences.ts'
import { courses, explore, requestsOf, type Extent } from '../../models/explore.ts'
import type { ChatRequest, Driver } from '../../scenario/driver.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { flowModel } from '../assertions/models/chat-model-flow.ts'
import { buttonsOf, sameButton, type Interaction } from '../assertions/presentation.ts'
import { replied } from '../../assertions/turn.ts'
import { flowOf } from '../turns/workflow-steps.ts'

interface Course {
  opening: ChatRequest
  conversation_id: string
  current: readonly Interaction[]
  superseded: readonly Interaction[]
  pressed: readonly ChatRequest[]
}

type Source = Pick<Driver, 'key' | 'text'>
type Command = (course: Course, at: number, source: Source) => ChatRequest | null

const pick = <T>(some: readonly T[], at: number): T | null => some[at % some.length] ?? null

/** A button with a key and a text of its own; no step where there is none. */
function pressing(
  button: Interaction | null,
  { conversation_id }: Course,
  { key, text }: Source,
): ChatRequest | null {
  return button && { message: text(24), idempotency_key: key(), conversation_id, interaction: button }
}

const commands = {
  press: (course, at, source) => pressing(pick(course.current, at), course, source),
  pressStreamed: (course, at, source) => {
    const request = pressing(pick(course.current, at), course, source)
    return request && { ...request, stream: true }
  },
  pressAgain: ({ pressed }, at) => pick(pressed, at),
  openingAgain: ({ opening }) => opening,
  stale: (course, at, source) => pressing(pick(course.superseded, at), course, source),
  otherButton: ({ pressed, current }, at) => {
    const [request, interaction] = [pick(pressed, at), pick(current, at)]
    return request && interaction && { ...request, interaction }
  },
} as const satisfies Readonly<Record<string, Command>>
type CommandName = keyof typeof commands
const commandNames = Object.keys(commands) as readonly CommandName[]

interface Step {
  is: CommandName
  at: number
}
const step: fc.Arbitrary<Step> = fc.record({ is: fc.constantFrom('press', ...commandNames), at: fc.nat(3) })

type Names = 'opening[]' | `${CommandName}[]`
const lists: readonly Names[] = ['opening[]', ...commandNames.map((name): Names => `${name}[]`)]

async function walk(t: Driver<Names>, steps: readonly Step[]): Promise<void> {
  const opening = { message: t.message, idempotency_key: t.key() }
  const { conversation_id, buttons } = flowOf(t, await t.add('opening', opening))
  const course: Course = { opening, conversation_id, current: buttons, superseded: [], pressed: [] }
  for (const { is, at } of steps) {
    const request = commands[is](course, at, t)
    if (request === null) continue
    const exchange = await t.add(is, request)
    if ((is === 'press' || is === 'pressStreamed') && replied(exchange).is === 'pass')
      goOn(course, request, buttonsOf(exchange, t.dialect))
  }
}

/** Where no new buttons follow, whether the last ones are still current is not shown: they are used no more. */
function goOn(course: Course, request: ChatRequest, next: readonly Interaction[]): void {
  const offered = (button: Interaction): boolean => next.some((one) => sameButton(one, button))
  const before = next.length > 0 ? [...course.superseded, ...course.current] : course.superseded
  course.superseded = before.filter((button) => !offered(button))
  course.pressed = [...course.pressed, request]
  course.current = next
}

const told = (...steps: readonly (readonly [CommandName, number])[]): readonly Step[] =>
  steps.map(([is, at]) => ({ is, at }))

/** Have each kind of step between them, and buttons of before after each. */
const openings: readonly (readonly Step[])[] = [
  told(['press', 0], ['pressAgain', 0], ['stale', 0], ['press', 0], ['openingAgain', 0], ['stale', 0]),
  told(['press', 0], ['otherButton', 0], ['pressStreamed', 0], ['pressAgain', 1], ['stale', 0]),
]

const model = (extent: Extent, profile: Profile) =>
  scenario({
    title: `in ${extent.runs} drawn courses of up to ${extent.longest} presses exactly the current buttons work`,
    exchanges: lists,
    needs: { states: ['workflow.current'] },
    cost: { requests: requestsOf(extent), turns: requestsOf(extent), inOneGo: 1 },
    profile,
    run: (t) =>
      explore(t, {
        ...extent,
        course: courses(step, extent),
        first: openings,
        walk: (steps) => walk(t, steps),
        judges: flowModel,
      }),
    judge: overCourses<Names, keyof typeof flowModel>(flowModel, (scenario) => [
      ...scenario.opening,
      ...commandNames.flatMap((name) => scenario[name]),
    ]),
  })

export const some = model({ runs: 6, longest: 8, beside: 1, shrinkRequests: 40, confirm: 2 }, 'standard')
export const many = model({ runs: 40, longest: 10, beside: 1, shrinkRequests: 120, confirm: 5 }, 'exhaustive')
