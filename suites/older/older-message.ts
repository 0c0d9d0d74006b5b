/** Sending a message to an agent in the older variant. */
import { scenario } from '../scenario/scenario.ts'
import { object, refused } from '../assertions/answer.ts'
import { all, every, given, observed, measured } from '../scenario/expect.ts'
import { nestedError, rateHeadersThere, olderSources } from './assertions/older.ts'
import { field } from '../assertions/reply.ts'
import { accepts, outcome, refusedBeside, replied } from '../assertions/turn.ts'

export const reply = scenario({
  title: 'a message is answered with a reply in the shape of the older variant',
  exchanges: ['reply'],
  needs: { older: 'key', extra: true },
  cost: { requests: 1, turns: 1 },
  async run(t) {
    await t.older('reply', { message: t.text(40), metadata: { page: '/orders' } })
  },
  judge: {
    'OLD-SEND': ({ reply }) => accepts(reply),
    'OLD-REPLY': ({ reply }) =>
      all(
        field(reply, 'response', 'string'),
        field(reply, 'conversation_id', 'filled string'),
        field(reply, 'message_id', 'filled string'),
        field(reply, 'credits_used', 'number'),
      ),
    'OLD-CONFIDENCE': ({ reply }) => field(reply, 'confidence', 'number'),
    'OLD-SOURCES': ({ reply }) => olderSources(reply),
    'OLD-RATE-HEADERS': ({ reply }) => rateHeadersThere(reply),
  },
  observe: {
    'GAP-OLDER-SERVED': ({ reply }) => given(replied(reply), () => observed('it is served')),
  },
})

export const badBody = scenario({
  title: 'a body without a text as its message is refused',
  exchanges: ['accepted', 'without', 'number'],
  needs: { older: 'key', extra: true },
  cost: { requests: 3, turns: 1 },
  async run(t) {
    await t.older('accepted', { message: t.text(30) })
    await t.older('without', { raw: '{"stream":false}' })
    await t.older('number', { message: 7 })
  },
  judge: {
    'OLD-MESSAGE-REQUIRED': ({ accepted, without, number }) =>
      every([without, number], (bad) => refusedBeside(accepted, bad, 400)),
    'OLD-ERROR': ({ accepted, without }) => given(replied(accepted), () => nestedError(without)),
  },
  observe: {
    'GAP-OLDER-RETRY-AFTER': ({ without }) =>
      given(refused(without), () => {
        const { error } = object(without) ?? {}
        return measured(`with a 400: ${JSON.stringify(Object(error)['retry_after']) ?? 'none'}`)
      }),
  },
})

export const retry = scenario({
  title: 'whether an idempotency key makes a retry of the older variant safe',
  exchanges: ['first', 'again'],
  needs: { older: 'key', extra: true },
  cost: { requests: 2, turns: 2 },
  async run(t) {
    const asked = { message: t.text(40), headers: [['Idempotency-Key', t.key()]] } as const
    await t.older('first', asked)
    await t.older('again', asked)
  },
  judge: {
    'OLD-SEND': ({ first }) => accepts(first),
  },
  observe: {
    'GAP-OLDER-KEY': ({ first, again }) =>
      given(replied(first), () => {
        const [id, other] = [first, again].map((one) => object(one)?.['message_id'])
        const same = id !== undefined && id === other
        return observed(same ? 'the reply is that of the first' : `the retry: ${outcome(again)}`)
      }),
  },
})
