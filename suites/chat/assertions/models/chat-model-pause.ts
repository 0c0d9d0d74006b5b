/**
 * Expectations for each request of a pause sequence, by its name, which states whether AI replies were paused when it
 * was sent. A reply from before a pause and a message stored during one stay what they were.
 */
import type { SequenceJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { eachRequest, withName, type SequenceRequest } from './model-requests.ts'
import { refusal, status } from '../../../assertions/answer.ts'
import { used } from '../../../assertions/credits.ts'
import { all, fail, given, inconclusive, notApplicable } from '../../../scenario/expect.ts'
import { notStored, saysStored } from '../../../assertions/paused.ts'
import { isAnotherRun, replayed } from '../../../assertions/once.ts'
import { sameButton, type Interaction } from '../presentation.ts'
import { field, fields, isFresh, sameField } from '../../../assertions/reply.ts'
import { accepts, asked, replied } from '../../../assertions/turn.ts'

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

export const pauseModel = {
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
  'IDEM-REPLAY-RESPONSE': eachRequest(again, (step) =>
    isOpen(step)
      ? notApplicable(storedInstead)
      : given(repliedAgain(step), () => sameField(step.first, step.exchange, 'response')),
  ),
  'PAUSE-INTERACTION-STATUS': barred((press) => status(press, 409)),
  'PAUSE-INTERACTION-CODE': barred((press) => refusal(press, 409, 'AI_REPLY_PAUSED')),
} as const satisfies Readonly<Record<string, SequenceJudge>>
