/**
 * The scope in which a key is unique is not shown; never returning the reply of another account or agent is only
 * sound.
 */
import { scenario } from '../../scenario/scenario.ts'
import { given } from '../../scenario/expect.ts'
import { notTheReplyOf, replayed, ways } from '../../assertions/once.ts'

export const agents = scenario({
  title: 'a key used with one agent never returns its reply for another',
  exchanges: ['first', 'second', 'colleague[]', 'again'],
  needs: { secondAgent: true, also: { colleague: { kind: 'second-of-account' } } },
  cost: { requests: 4, turns: 3 },
  async run(t) {
    const request = { message: t.text(40), idempotency_key: t.key() }
    const first = await t.chat('first', request)
    await t.chat('second', { ...request, agent: t.secondAgent })
    if (t.has('colleague')) await t.add('colleague', { ...request, as: 'colleague' })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-OTHER-AGENT': ({ first, second, again }) =>
      given(replayed(first, again), () => notTheReplyOf(first, second)),
  },
  observe: {
    'GAP-KEY-SCOPE': ({ first, second, colleague: [other] }) =>
      ways(first, {
        'the same key with another agent': second,
        ...(other && { 'the same key with another API key': other }),
      }),
  },
})
