/**
 * Model-based test of a Workflow: buttons pressed, pressed again and superseded, compared with a model of the current
 * ones. Each sequence starts a new Workflow.
 */
import * as fc from 'fast-check'
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario, type ChatRequest, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { buttonsOf, sameButton, type Interaction } from '../assertions/presentation.ts'
import { replied, accepts } from '../../assertions/turn.ts'
import { flowOf } from '../turns/workflow-steps.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { refusal, status } from '../../assertions/answer.ts'
import { eachRequest, withName, type SequenceRequest } from '../assertions/models/model-requests.ts'
import { given, inconclusive, notApplicable } from '../../scenario/expect.ts'
import { noSecondRun } from '../../assertions/once.ts'
import { pressReplayed } from '../assertions/press.ts'
import { isFresh, sameField } from '../../assertions/reply.ts'

const press = withName('press')
const goesOn = ({ name }: Exchange): boolean => ['opening', 'press', 'pressStreamed'].includes(name)

/** The current buttons are known as long as no unexpected turn ran; such a turn is judged where it ran. */
function known({ before }: SequenceRequest): Judgement {
  const astray = before.find((one) => isFresh(one) && !goesOn(one))
  if (astray) return inconclusive(`\`${astray.name}\` (exchange ${astray.id}) ran a turn of its own`)
  const last = before.findLast(goesOn)
  return last ? replied(last) : inconclusive('the Workflow was not started')
}

/** A superseded button was refused since the last presentation. */
function afterStale({ before }: SequenceRequest): boolean {
  const since = before.slice(before.findLastIndex(goesOn) + 1)
  return since.some((one) => one.name === 'stale' && status(one, 409).is === 'pass')
}

const accepted = (step: SequenceRequest): Judgement => given(known(step), () => accepts(step.exchange))

/** The streamed press is accepted, given that an earlier press as JSON was. */
function acceptedToo(step: SequenceRequest): Judgement {
  const plain = step.before.find(({ name }) => name === 'press')
  return plain
    ? given(replied(plain), () => accepted(step))
    : inconclusive('no button was pressed without a stream')
}

function sameConversation({ exchange, before }: SequenceRequest): Judgement {
  const opening = before.find(({ name }) => name === 'opening')
  return opening ? sameField(opening, exchange, 'conversation_id') : inconclusive('there was no opening')
}

/** Ignores a warning, which the scenario with a single press reports; here it would end the sequence. */
function orWeak(judged: Judgement): Judgement {
  return judged.is === 'warn' ? notApplicable(`expected ${judged.expected}, got ${judged.got}`) : judged
}

const flowModel = {
  'FLOW-PRESS-STATUS': eachRequest((step) => press(step) && !afterStale(step), accepted),
  'FLOW-STALE-UNCHANGED': eachRequest((step) => press(step) && afterStale(step), accepted),
  'FLOW-PRESS-STREAM': eachRequest(withName('pressStreamed'), acceptedToo),
  'FLOW-PRESS-CONVERSATION': eachRequest(press, (step) =>
    given(accepted(step), () => sameConversation(step)),
  ),
  'FLOW-PRESS-REPLAY': eachRequest(withName('pressAgain'), ({ first, exchange }, { dialect }) =>
    orWeak(pressReplayed(first, exchange, dialect)),
  ),
  'FLOW-STALE-STATUS': eachRequest(withName('stale'), (step) =>
    given(known(step), () => status(step.exchange, 409)),
  ),
  'FLOW-STALE-CODE': eachRequest(withName('stale'), (step) =>
    given(known(step), () => refusal(step.exchange, 409, 'WORKFLOW_INTERACTION_STALE')),
  ),
  'IDEM-OTHER-INTERACTION': eachRequest(withName('otherButton'), ({ first, exchange }) =>
    noSecondRun(first, exchange),
  ),
} as const satisfies Readonly<Record<string, SequenceJudge>>

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

/** A press of the button with a fresh key and text; null without a button. */
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

async function runFlowSequence(t: Driver<Names>, steps: readonly Step[]): Promise<void> {
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

/** If the reply has no buttons, it is not shown whether the previous ones stay current: they are no longer used. */
function goOn(course: Course, request: ChatRequest, next: readonly Interaction[]): void {
  const offered = (button: Interaction): boolean => next.some((one) => sameButton(one, button))
  const before = next.length > 0 ? [...course.superseded, ...course.current] : course.superseded
  course.superseded = before.filter((button) => !offered(button))
  course.pressed = [...course.pressed, request]
  course.current = next
}

const sequence = (...steps: readonly (readonly [CommandName, number])[]): readonly Step[] =>
  steps.map(([is, at]) => ({ is, at }))

/** Together they have each command, and superseded buttons after each. */
const openings: readonly (readonly Step[])[] = [
  sequence(['press', 0], ['pressAgain', 0], ['stale', 0], ['press', 0], ['openingAgain', 0], ['stale', 0]),
  sequence(['press', 0], ['otherButton', 0], ['pressStreamed', 0], ['pressAgain', 1], ['stale', 0]),
]

const modelScenario = (extent: Extent, profile: Profile) =>
  scenario({
    title: `in ${extent.runs} random sequences of up to ${extent.longest} presses exactly the current buttons work`,
    exchanges: lists,
    needs: { states: ['workflow.current'] },
    cost: { requests: mostRequestsOf(extent), turns: mostRequestsOf(extent), inOneGo: 1 },
    profile,
    run: (t) =>
      runModelTest(t, {
        ...extent,
        sequence: sequences(step, extent),
        first: openings,
        run: (steps) => runFlowSequence(t, steps),
        judges: flowModel,
      }),
    judge: overSequences<Names, keyof typeof flowModel>(flowModel, (scenario) => [
      ...scenario.opening,
      ...commandNames.flatMap((name) => scenario[name]),
    ]),
  })

export const some = modelScenario(
  { runs: 4, longest: 8, beside: 1, shrinkRequests: 40, confirm: 2 },
  'standard',
)
export const many = modelScenario(
  { runs: 40, longest: 10, beside: 1, shrinkRequests: 120, confirm: 5 },
  'exhaustive',
)
