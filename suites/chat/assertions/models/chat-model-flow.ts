/** Expectations for each command of a Workflow sequence: presses, repeated presses and superseded buttons. */
import type { SequenceJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { refusal, status } from '../../../assertions/answer.ts'
import { eachRequest, withName, type SequenceRequest } from './model-requests.ts'
import { given, inconclusive, notApplicable } from '../../../scenario/expect.ts'
import { noSecondRun, replayed } from '../../../assertions/once.ts'
import { samePresentation } from '../presentation-replay.ts'
import { pressReplayed } from '../press.ts'
import { isFresh, sameField } from '../../../assertions/reply.ts'
import { accepts, replied } from '../../../assertions/turn.ts'

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

export const flowModel = {
  'FLOW-PRESS-STATUS': eachRequest((step) => press(step) && !afterStale(step), accepted),
  'FLOW-STALE-UNCHANGED': eachRequest((step) => press(step) && afterStale(step), accepted),
  'FLOW-PRESS-STREAM': eachRequest(withName('pressStreamed'), acceptedToo),
  'FLOW-PRESS-CONVERSATION': eachRequest(press, (step) =>
    given(accepted(step), () => sameConversation(step)),
  ),
  'FLOW-PRESS-REPLAY': eachRequest(withName('pressAgain'), ({ first, exchange }, { dialect }) =>
    orWeak(pressReplayed(first, exchange, dialect)),
  ),
  'IDEM-REPLAY-PRESENTATION': eachRequest(withName('openingAgain'), ({ first, exchange }, { dialect }) =>
    given(replayed(first, exchange), () => orWeak(samePresentation(first, exchange, dialect))),
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
