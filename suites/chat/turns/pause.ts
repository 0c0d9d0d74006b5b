/** While AI replies are paused: messages are stored, interactions are refused. */
import { scenario } from '../../scenario/scenario.ts'
import { codesOf, refusal, status } from '../../assertions/answer.ts'
import { all, every, given, inconclusive, observed } from '../../scenario/expect.ts'
import { replayed, ways } from '../../assertions/once.ts'
import { markedAsPaused, notStored } from '../../assertions/paused.ts'
import { unlessStreamed } from '../assertions/refusal.ts'
import { field, fields, sameField, balanced, used } from '../../assertions/reply.ts'
import { ended, notFailed } from '../assertions/streams/stream.ts'
import { accepts, confirmed, conversationOf, refusedBeside, replied } from '../../assertions/turn.ts'
import { defectsOf, keyInHeader, refusedEach, spoiled } from '../requests/body-defects.ts'
import { limits } from '../../../spec/index.ts'
import { flowOf, pauseHere, pressing } from './workflow-steps.ts'

/** Whether an invalid interaction returns 400 or 409 while AI replies are paused is unspecified. */
const whilePaused = defectsOf(
  'REQ-MESSAGE-REQUIRED',
  'REQ-MESSAGE-EMPTY',
  'REQ-MESSAGE-OVER',
  'REQ-JSON-MALFORMED',
)

export const stored = scenario({
  title: 'a message sent while AI replies are paused is stored without a reply, and a bad one refused',
  exchanges: ['stored', 'again', 'streamed', 'accepted', 'bad[]', 'active'],
  needs: { states: ['chat.paused'] },
  cost: { requests: 5 + whilePaused.length, turns: 4 },
  async run(t) {
    const stored = await t.chat('stored', { message: t.message })
    const id = field(stored, 'conversation_id', 'uuid').is === 'pass' ? conversationOf(stored) : null
    const within = id === null ? {} : { conversation_id: id }
    await t.resend('again', stored)
    await t.chat('streamed', { message: t.message, stream: true, ...within })
    const base = { message: t.message, conversation_id: id ?? t.uuid() }
    const sent = (body: string) => keyInHeader(body, t.key())
    const longest = { message: t.text(limits.messageMaxCharacters), ...within }
    await t.chat('accepted', sent(JSON.stringify(longest)))
    for (const raw of spoiled(base, t.pick(2 ** 31), 1, whilePaused)) await t.add('bad', sent(raw))
    const agent = t.agent
    await t.leave('chat.paused')
    if (t.agent !== agent) t.stop('the replies of this agent are paused for good')
    await t.chat('active', { message: t.text(40), ...within })
  },
  judge: {
    'CONV-CONTINUE-STREAM': ({ stored, streamed }) =>
      given(all(field(stored, 'conversation_id', 'uuid'), field(streamed, 'conversation_id', 'uuid')), () =>
        sameField(stored, streamed, 'conversation_id'),
      ),
    'PAUSE-STATUS': ({ stored }) => accepts(stored),
    'PAUSE-CUSTOMER-MESSAGE': ({ stored }) =>
      given(replied(stored), () => field(stored, 'customer_message', 'object')),
    'PAUSE-AI-REPLY': ({ stored }) => markedAsPaused(stored),
    'IDEM-REPLAY-PAUSED': ({ stored, again }) =>
      given(field(stored, 'response', 'empty string'), () =>
        all(replayed(stored, again), field(again, 'response', 'empty string')),
      ),
    'PAUSE-STREAM-DONE': ({ streamed }) =>
      given(notFailed(streamed), () =>
        all(
          ended(streamed),
          field(streamed, 'response', 'empty string'),
          field(streamed, 'customer_message', 'object'),
        ),
      ),
    'REQ-MESSAGE-MAX': ({ stored, accepted }) => given(replied(stored), () => accepts(accepted)),
    ...refusedEach(whilePaused, refusedBeside),
    'PAUSE-RESUME': ({ stored, active }) =>
      given(field(stored, 'response', 'empty string'), () => notStored(active)),
  },
  observe: {
    'GAP-PAUSED-COST': ({ stored }) =>
      given(field(stored, 'credits_used', 'number'), () => observed(used(stored) === 0 ? 'free' : 'charged')),
    'GAP-CUSTOMER-MESSAGE': ({ stored }) =>
      given(field(stored, 'customer_message', 'object'), () => {
        const names = Object.keys(fields(stored)?.['customer_message'] ?? {})
        return observed(`members: ${names.sort().join(', ')}`)
      }),
  },
})

export const interaction = scenario({
  title: 'an interaction sent while AI replies are paused is refused and free, and its button stays current',
  exchanges: ['opening', 'control', 'before', 'press', 'streamed', 'again', 'after', 'resumed', 'retried'],
  needs: {
    states: ['workflow.current'],
    exclusiveCredits: ['CRED-BALANCE', 'PAUSE-INTERACTION-FREE'],
  },
  cost: { requests: 9, turns: 5 },
  async run(t) {
    const flow = flowOf(t, await t.chat('opening', { message: t.message }))
    await pauseHere(t)
    await t.chat('control', { message: t.text(40) })
    await t.chat('before', { message: t.text(40) })
    const press = await t.chat('press', pressing(t, flow))
    await t.chat('streamed', { ...pressing(t, flow), stream: true })
    await t.resend('again', press)
    await t.chat('after', { message: t.text(40) })
    await t.leave('chat.paused')
    await t.chat('resumed', pressing(t, flow))
    await t.resend('retried', press)
  },
  judge: {
    'PAUSE-INTERACTION-STATUS': ({ press, streamed, again, resumed }) =>
      confirmed(
        all(
          every([press, again], (one) => status(one, 409)),
          unlessStreamed(streamed, () => status(streamed, 409)),
        ),
        replied(resumed),
      ),
    'PAUSE-INTERACTION-CODE': ({ press, streamed, again, resumed }) =>
      confirmed(
        all(
          every([press, again], (one) => refusal(one, 409, 'AI_REPLY_PAUSED')),
          unlessStreamed(streamed, () => refusal(streamed, 409, 'AI_REPLY_PAUSED')),
        ),
        replied(resumed),
      ),
    // Nothing changed during the pause, so the button is still current; a pause may end slightly late.
    'FLOW-PRESS-STATUS': ({ press, streamed, again, resumed }) =>
      given(
        all(
          every([press, again], (one) => refusal(one, 409, 'AI_REPLY_PAUSED')),
          status(streamed, 409),
        ),
        () =>
          codesOf(resumed).includes('AI_REPLY_PAUSED')
            ? inconclusive('AI replies are still paused')
            : accepts(resumed),
      ),
    'CRED-BALANCE': ({ control, before }) => balanced(control, before),
    'PAUSE-INTERACTION-FREE': ({ control, before, press, again, after }) =>
      given(
        all(
          balanced(control, before),
          every([press, again], (one) => status(one, 409)),
        ),
        () => balanced(before, after),
      ),
  },
  observe: {
    'GAP-REFUSED-KEY': ({ resumed, retried }) =>
      ways(resumed, { 'after a pause, with a button that is no longer current': retried }),
  },
})

export const superseded = scenario({
  title: 'a superseded button is refused while AI replies are paused, as superseded or as paused',
  exchanges: ['opening', 'press', 'old'],
  needs: { states: ['workflow.current'] },
  cost: { requests: 3, turns: 2 },
  profile: 'exhaustive',
  async run(t) {
    const flow = flowOf(t, await t.chat('opening', { message: t.message }))
    await t.chat('press', pressing(t, flow))
    await pauseHere(t)
    await t.chat('old', pressing(t, flow))
  },
  judge: {
    'PAUSE-INTERACTION-STATUS': ({ press, old }) => given(replied(press), () => status(old, 409)),
  },
  observe: {
    'GAP-PAUSED-OR-STALE': ({ press, old }) => ways(press, { 'paused and superseded': old }),
  },
})
