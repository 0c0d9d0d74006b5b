/** What each step of a course through a Workflow has to meet: presses, the same again, and buttons of before. */
import type { CourseJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { refusal, status } from '../../../assertions/answer.ts'
import { each, named, type Step } from './model-requests.ts'
import { given, inconclusive, notApplicable } from '../../../scenario/expect.ts'
import { noSecondRun, replayed } from '../../../assertions/once.ts'
import { samePresentation } from '../presentation-replay.ts'
import { pressReplayed } from '../press.ts'
import { isFresh, sameField } from '../../../assertions/reply.ts'
import { accepts, replied } from '../../../assertions/turn.ts'

const press = named('press')
const goesOn = ({ name }: Exchange): boolean => ['opening', 'press', 'pressStreamed'].includes(name)

/** Which buttons are current is known as long as nothing ran that should not have: that is judged where it ran. */
function known({ before }: Step): Judgement {
  const astray = before.find((one) => isFresh(one) && !goesOn(one))
  if (astray) return inconclusive(`\`${astray.name}\` (exchange ${astray.id}) ran a turn of its own`)
  const last = before.findLast(goesOn)
  return last ? replied(last) : inconclusive('the Workflow was not begun')
}

/** A superseded button was refused since the last presentation. */
function afterStale({ before }: Step): boolean {
  const since = before.slice(before.findLastIndex(goesOn) + 1)
  return since.some((one) => one.name === 'stale' && status(one, 409).is === 'pass')
}

const accepted = (step: Step): Judgement => given(known(step), () => accepts(step.exchange))

/** As a stream as well, where a press as JSON was accepted before. */
function acceptedToo(step: Step): Judgement {
  const plain = step.before.find(({ name }) => name === 'press')
  return plain
    ? given(replied(plain), () => accepted(step))
    : inconclusive('no button was pressed without a stream')
}

function sameConversation({ exchange, before }: Step): Judgement {
  const opening = before.find(({ name }) => name === 'opening')
  return opening ? sameField(opening, exchange, 'conversation_id') : inconclusive('there was no opening')
}

/** What is only weak is told by the scenario that presses once; here it stops no course. */
function orWeak(judged: Judgement): Judgement {
  return judged.is === 'weak' ? notApplicable(`expected ${judged.expected}, got ${judged.got}`) : judged
}

export const flowModel = {
  'FLOW-PRESS-STATUS': each((step) => press(step) && !afterStale(step), accepted),
  'FLOW-STALE-UNCHANGED': each((step) => press(step) && afterStale(step), accepted),
  'FLOW-PRESS-STREAM': each(named('pressStreamed'), acceptedToo),
  'FLOW-PRESS-CONVERSATION': each(press, (step) => given(accepted(step), () => sameConversation(step))),
  'FLOW-PRESS-REPLAY': each(named('pressAgain'), ({ first, exchange }, { dialect }) =>
    orWeak(pressReplayed(first, exchange, dialect)),
  ),
  'IDEM-REPLAY-PRESENTATION': each(named('openingAgain'), ({ first, exchange }, { dialect }) =>
    given(replayed(first, exchange), () => orWeak(samePresentation(first, exchange, dialect))),
  ),
  'FLOW-STALE-STATUS': each(named('stale'), (step) => given(known(step), () => status(step.exchange, 409))),
  'FLOW-STALE-CODE': each(named('stale'), (step) =>
    given(known(step), () => refusal(step.exchange, 409, 'WORKFLOW_INTERACTION_STALE')),
  ),
  'IDEM-OTHER-INTERACTION': each(named('otherButton'), ({ first, exchange }) => noSecondRun(first, exchange)),
} as const satisfies Readonly<Record<string, CourseJudge>>
