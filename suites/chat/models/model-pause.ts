/**
 * Model-based test of pauses of AI replies: messages, replays and presses of a button before, during and after a
 * pause. Each sequence starts a new Workflow and ends resumed.
 */
import * as fc from 'fast-check'
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario, type ChatRequest, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { replied, accepts, asked } from '../../assertions/turn.ts'
import { flowOf, pressing, type Flow } from '../turns/workflow-steps.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { eachRequest, withName, type SequenceRequest } from '../assertions/models/model-requests.ts'
import { refusal, status } from '../../assertions/answer.ts'
import { all, fail, given, inconclusive, notApplicable } from '../../scenario/expect.ts'
import { notStored, saysStored } from '../../assertions/paused.ts'
import { isAnotherRun, replayed } from '../../assertions/once.ts'
import { sameButton, type Interaction } from '../assertions/presentation.ts'
import { field, fields, isFresh, used } from '../../assertions/reply.ts'

/**
 * Expectations for each request of a pause sequence, by its name, which states whether AI replies were paused when it
 * was sent. A reply from before a pause and a message stored during one stay what they were.
 */

const again = withName('turnAgain', 'turnAgainInPause')
const resumed = ({ exchange, before }: SequenceRequest): boolean =>
  exchange.name === 'turn' && before.some(({ name }) => name === 'stored')

const emptyReply = (exchange: Exchange): Judgement => field(exchange, 'response', 'empty string')

/** Refused while paused, although the same button is accepted later or was before: so the pause is the reason. */
function barred(judge: (press: Exchange) => Judgement): SequenceJudge {
  return (course, context) => {
    const taken = course.filter((one) => ['press', 'barred'].includes(one.name) && replied(one).is === 'pass')
    const confirmed = ({ exchange }: SequenceRequest): boolean =>
      exchange.name === 'barred' &&
      taken.some((one) => one.id >= exchange.id && sameButton(buttonOf(one), buttonOf(exchange)))
    return eachRequest(confirmed, ({ exchange }) => judge(exchange))(course, context)
  }
}

const buttonOf = (exchange: Exchange): Interaction => asked(exchange)?.['interaction'] as Interaction

const storedInstead = 'a request of before is stored anew while AI replies are paused'
const repliedAgain = ({ first, exchange }: SequenceRequest): Judgement => replayed(first, exchange)

/** Stored, without the mark of a replay. */
const isStored = (exchange: Exchange): boolean =>
  isFresh(exchange) && saysStored(fields(exchange)) && emptyReply(exchange).is === 'pass'

/**
 * A completed key and a message sent while AI replies are paused match two rows of the table: the message may be
 * stored instead, and its key may be completed with either result from then on.
 */
function isOpen({ exchange, between }: SequenceRequest): boolean {
  return [...between, exchange].some((one) => one.name === 'turnAgainInPause' && isStored(one))
}

/** Both rows exclude a second turn and a second charge. */
function storedOnce({ first, between, exchange }: SequenceRequest): Judgement {
  const credits = used(exchange) ?? 0
  if (isStored(exchange) && credits > 0)
    return fail('a replay, or a message stored for nothing', `\`credits_used\`: ${credits}`, exchange)
  const kept = between.some((one) => isStored(one) && !isAnotherRun(one, exchange))
  return isStored(exchange) || kept ? notApplicable(storedInstead) : replayed(first, exchange)
}

function storedAgain({ first, exchange }: SequenceRequest): Judgement {
  if (emptyReply(first).is !== 'pass') return inconclusive('nothing was stored')
  return all(replayed(first, exchange), emptyReply(exchange))
}

const pauseModel = {
  'PAUSE-STATUS': eachRequest(withName('stored'), ({ exchange }) => accepts(exchange)),
  'PAUSE-RESPONSE-EMPTY': eachRequest(withName('stored'), ({ exchange }) =>
    given(replied(exchange), () => emptyReply(exchange)),
  ),
  'PAUSE-CUSTOMER-MESSAGE': eachRequest(withName('stored'), ({ exchange }) =>
    given(replied(exchange), () => field(exchange, 'customer_message', 'object')),
  ),
  'PAUSE-RESUME': eachRequest(resumed, ({ exchange }) => notStored(exchange)),
  'IDEM-REPLAY-PAUSED': eachRequest(withName('storedAgain', 'storedAgainResumed'), storedAgain),
  'IDEM-REPLAY-AGAIN': eachRequest(again, (step) => (isOpen(step) ? storedOnce(step) : repliedAgain(step))),
  'PAUSE-INTERACTION-STATUS': barred((press) => status(press, 409)),
  'PAUSE-INTERACTION-CODE': barred((press) => refusal(press, 409, 'AI_REPLY_PAUSED')),
} as const satisfies Readonly<Record<string, SequenceJudge>>

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
