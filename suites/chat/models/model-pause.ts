/**
 * Model-based test of pauses of AI replies: messages, replays and presses of a button before, during and after a
 * pause. Each sequence starts a new Workflow and ends resumed.
 */
import * as fc from 'fast-check'
import { overSequences } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import type { ChatRequest, Driver } from '../../scenario/driver.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { pauseModel } from '../assertions/models/chat-model-pause.ts'
import { replied } from '../../assertions/turn.ts'
import { flowOf, pressing, type Flow } from '../turns/workflow-steps.ts'

const lists = [
  'opening[]',
  'turn[]',
  'turnAgain[]',
  'turnAgainInPause[]',
  'stored[]',
  'storedAgain[]',
  'storedAgainResumed[]',
  'press[]',
  'barred[]',
] as const
type Names = (typeof lists)[number]
type PauseDriver = Driver<Names>

interface Course {
  flow: Flow
  /** The press was accepted, so the button is no longer current. */
  pressed: boolean
  paused: boolean
  readonly turns: ChatRequest[]
  readonly stored: ChatRequest[]
}

type Command = (t: PauseDriver, course: Course, at: number) => Promise<unknown>

const commands = {
  async say(t, course) {
    const request = { message: t.text(40), idempotency_key: t.key() }
    await t.add(course.paused ? 'stored' : 'turn', request)
    const said = course.paused ? course.stored : course.turns
    said.push(request)
  },
  async turnAgain(t, { turns, paused }, at) {
    const request = turns[at % turns.length]
    if (request) await t.add(paused ? 'turnAgainInPause' : 'turnAgain', request)
  },
  async storedAgain(t, { stored, paused }, at) {
    const request = stored[at % stored.length]
    if (request) await t.add(paused ? 'storedAgain' : 'storedAgainResumed', request)
  },
  async press(t, course) {
    if (course.pressed) return
    const press = await t.add(course.paused ? 'barred' : 'press', pressing(t, course.flow))
    course.pressed = replied(press).is === 'pass'
  },
  async switch(t, course) {
    await (course.paused ? t.leave('chat.paused') : pause(t))
    course.paused = !course.paused
  },
} as const satisfies Readonly<Record<string, Command>>
type CommandName = keyof typeof commands
const commandNames = Object.keys(commands) as readonly CommandName[]

interface Step {
  is: CommandName
  at: number
}
const step: fc.Arbitrary<Step> = fc.record({
  is: fc.constantFrom('switch', 'say', ...commandNames),
  at: fc.nat(3),
})

/** The agent of a paused fixture is another one than that of the Workflow, and does not know its button. */
async function pause(t: PauseDriver): Promise<void> {
  const { agent } = t
  await t.enter('chat.paused')
  if (t.agent !== agent) t.stop('the replies of the agent with the Workflow cannot be paused here')
}

async function runPauseSequence(t: PauseDriver, steps: readonly Step[]): Promise<void> {
  const flow = flowOf(t, await t.add('opening', { message: t.message, idempotency_key: t.key() }))
  const course: Course = { flow, pressed: false, paused: false, turns: [], stored: [] }
  for (const { is, at } of steps) await commands[is](t, course, at)
  if (course.paused) await t.leave('chat.paused')
}

const sequence = (...names: readonly CommandName[]): readonly Step[] => names.map((is) => ({ is, at: 0 }))

/** Has each command, before, during and after a pause. */
const opening = sequence(
  'say',
  'switch',
  'turnAgain',
  'say',
  'storedAgain',
  'press',
  'switch',
  'storedAgain',
  'press',
  'say',
)

const modelScenario = (extent: Extent, profile: Profile) =>
  scenario({
    title: `in ${extent.runs} random sequences with pauses earlier responses do not change`,
    exchanges: lists,
    needs: { states: ['workflow.current'], extra: true },
    cost: { requests: mostRequestsOf(extent), turns: mostRequestsOf(extent), inOneGo: 1 },
    profile,
    run(t) {
      // A manual state provider is asked once, not for each pause.
      const byHand = t.providerOf('chat.paused') === 'manual'
      const once = byHand ? { runs: 1, shrinkRequests: 0, confirm: 0 } : {}
      return runModelTest(t, {
        ...extent,
        ...once,
        sequence: sequences(step, extent),
        first: [opening],
        run: (steps) => runPauseSequence(t, steps),
        judges: pauseModel,
      })
    },
    judge: overSequences<Names, keyof typeof pauseModel>(pauseModel, (scenario) => [
      ...scenario.opening,
      ...scenario.turn,
      ...scenario.turnAgain,
      ...scenario.turnAgainInPause,
      ...scenario.stored,
      ...scenario.storedAgain,
      ...scenario.storedAgainResumed,
      ...scenario.press,
      ...scenario.barred,
    ]),
  })

export const some = modelScenario(
  { runs: 3, longest: 10, beside: 1, shrinkRequests: 60, confirm: 2 },
  'standard',
)
export const many = modelScenario(
  { runs: 30, longest: 14, beside: 1, shrinkRequests: 120, confirm: 5 },
  'exhaustive',
)
