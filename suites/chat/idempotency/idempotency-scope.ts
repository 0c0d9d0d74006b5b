/**
 * The scope in which a key is unique is not shown; never returning the reply of another account or agent is only
 * sound.
 */
import { scenario } from '../../scenario/scenario.ts'
import { answered, status } from '../../assertions/answer.ts'
import { every, given } from '../../scenario/expect.ts'
import { notTheReplyOf, ran, replayed, ways } from '../../assertions/once.ts'

export const agents = scenario({
  title: 'a key used with one agent never returns its reply for another',
  exchanges: ['first', 'second', 'again'],
  needs: { secondAgent: true },
  cost: { requests: 3, turns: 2 },
  async run(t) {
    const request = { message: t.text(40), idempotency_key: t.key() }
    const first = await t.chat('first', request)
    await t.chat('second', { ...request, agent: t.secondAgent })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-OTHER-AGENT': ({ first, second, again }) =>
      given(replayed(first, again), () => notTheReplyOf(first, second)),
  },
  observe: {
    'GAP-KEY-SCOPE': ({ first, second }) => ways(first, { 'the same key with another agent': second }),
  },
})

export const accounts = scenario({
  title: 'a key used by one account never returns its reply to another',
  exchanges: ['first', 'foreign', 'again'],
  needs: { others: { stranger: { kind: 'other-account' } } },
  cost: { requests: 3, turns: 2 },
  async run(t) {
    const request = { message: t.text(40), idempotency_key: t.key() }
    const first = await t.chat('first', request)
    await t.chat('foreign', { ...request, as: 'stranger', agent: t.agentOf('stranger') })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-OTHER-ACCOUNT': ({ first, foreign, again }) =>
      given(replayed(first, again), () => notTheReplyOf(first, foreign)),
  },
})

export const apiKeys = scenario({
  title: 'whether two API keys of one account share idempotency keys',
  exchanges: ['first', 'second', 'again'],
  needs: { others: { colleague: { kind: 'second-of-account' } } },
  cost: { requests: 3, turns: 2 },
  async run(t) {
    const request = { message: t.text(40), idempotency_key: t.key() }
    const first = await t.chat('first', request)
    await t.chat('second', { ...request, as: 'colleague' })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-REPLAY-AGAIN': ({ first, second, again }) =>
      given(ran(first), () => given(answered(second), () => replayed(first, again))),
  },
  observe: {
    'GAP-KEY-SCOPE': ({ first, second }) => ways(first, { 'the same key with another API key': second }),
  },
})

export const squatting = scenario({
  title: 'a request refused for its credentials does not use up a key',
  exchanges: ['nobody', 'unknown', 'proper'],
  cost: { requests: 3, turns: 1 },
  async run(t) {
    const idempotency_key = t.key()
    await t.chat('nobody', { message: t.text(52), idempotency_key, as: null })
    const headers = [['Authorization', `Bearer sk-${t.uuid()}`] as const]
    await t.chat('unknown', { message: t.text(52), idempotency_key, headers })
    await t.chat('proper', { message: t.text(40), idempotency_key })
  },
  judge: {
    'IDEM-SQUATTING': ({ nobody, unknown, proper }) =>
      given(
        every([nobody, unknown], (one) => status(one, 401)),
        () => ran(proper),
      ),
  },
})
