/** A key of which the outcome of the turn is not known. */
import { scenario } from '../engine/scenario.ts'
import { refusal, status } from '../judge/answer.ts'
import { every, given } from '../judge/expect.ts'
import { ran, refusedAs } from '../judge/once.ts'
import { accepts } from '../judge/turn.ts'

export const refused = scenario({
  title: 'a key with an uncertain turn is refused until somebody reconciles it',
  exchanges: ['first', 'again', 'other', 'more[]'],
  cost: { requests: 5, turns: 2 },
  async play(t) {
    const request = { message: t.text(40), idempotency_key: t.key() }
    const first = await t.chat('first', request)
    await t.enter('key.uncertain', { idempotencyKey: request.idempotency_key })
    await t.resend('again', first)
    // Another key, before the last of the refusals: it shows that nothing but the one key is refused.
    await t.chat('other', { message: t.text(40) })
    await t.resendTo('more', first)
    await t.resendTo('more', first)
  },
  judge: {
    'IDEM-UNCERTAIN-STATUS': ({ first, again, other }) =>
      given(ran(first), () => given(accepts(other), () => status(again, 409))),
    'IDEM-UNCERTAIN-CODE': ({ first, again, other }) =>
      given(ran(first), () => given(accepts(other), () => refusal(again, 409, 'OUTCOME_UNCERTAIN'))),
    'IDEM-UNCERTAIN-STAYS': ({ first, again, more, other }) =>
      given(ran(first), () =>
        given(accepts(other), () =>
          given(status(again, 409), () => every(more, (one) => refusedAs(one, 409, 'OUTCOME_UNCERTAIN'))),
        ),
      ),
  },
})
