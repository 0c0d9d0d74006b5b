/**
 * What each request of a course through pauses has to meet: told by its name, which says whether AI replies were
 * paused when it was sent. A reply of before a pause, and a message stored in one, stay what they were.
 */
import type { CourseJudge } from '../engine/explored-courses.ts'
import type { Judgement } from '../engine/judgement.ts'
import type { Exchange } from '../wire/exchange.ts'
import { each, named, type Step } from './chat-model-steps.ts'
import { refusal, status } from './answer.ts'
import { all, given, inconclusive } from './expect.ts'
import { notStored } from './paused.ts'
import { replayed } from './once.ts'
import { sameButton, type Interaction } from './presentation.ts'
import { field, sameField } from './reply.ts'
import { accepts, asked, replied } from './turn.ts'

const again = named('turnAgain', 'turnAgainInPause')
const resumed = ({ exchange, before }: Step): boolean =>
  exchange.name === 'turn' && before.some(({ name }) => name === 'stored')

const emptyReply = (exchange: Exchange): Judgement => field(exchange, 'response', 'empty string')

/** Refused while paused, beside the same button taken then or later in the course: so it was not refused for its own sake. */
function barred(judge: (press: Exchange) => Judgement): CourseJudge {
  return (course, context) => {
    const taken = course.filter((one) => ['press', 'barred'].includes(one.name) && replied(one).is === 'pass')
    const confirmed = ({ exchange }: Step): boolean =>
      exchange.name === 'barred' &&
      taken.some((one) => one.id >= exchange.id && sameButton(buttonOf(one), buttonOf(exchange)))
    return each(confirmed, ({ exchange }) => judge(exchange))(course, context)
  }
}

const buttonOf = (exchange: Exchange): Interaction => asked(exchange)?.['interaction'] as Interaction

function storedAgain({ first, exchange }: Step): Judgement {
  if (emptyReply(first).is !== 'pass') return inconclusive('nothing was stored')
  return all(replayed(first, exchange), emptyReply(exchange))
}

export const pauseModel = {
  'PAUSE-STATUS': each(named('stored'), ({ exchange }) => accepts(exchange)),
  'PAUSE-RESPONSE-EMPTY': each(named('stored'), ({ exchange }) =>
    given(replied(exchange), () => emptyReply(exchange)),
  ),
  'PAUSE-CUSTOMER-MESSAGE': each(named('stored'), ({ exchange }) =>
    given(replied(exchange), () => field(exchange, 'customer_message', 'object')),
  ),
  'PAUSE-RESUME': each(resumed, ({ exchange }) => notStored(exchange)),
  'IDEM-REPLAY-PAUSED': each(named('storedAgain', 'storedAgainResumed'), storedAgain),
  'IDEM-REPLAY-AGAIN': each(again, ({ first, exchange }) => replayed(first, exchange)),
  'IDEM-REPLAY-RESPONSE': each(again, ({ first, exchange }) =>
    given(replayed(first, exchange), () => sameField(first, exchange, 'response')),
  ),
  'PAUSE-INTERACTION-STATUS': barred((press) => status(press, 409)),
  'PAUSE-INTERACTION-CODE': barred((press) => refusal(press, 409, 'AI_REPLY_PAUSED')),
} as const satisfies Readonly<Record<string, CourseJudge>>
