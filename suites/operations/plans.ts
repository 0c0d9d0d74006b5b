/** Which plans have webhook settings. */
import type { Judgement } from '../engine/judgement.ts'
import { scenario } from '../engine/scenario.ts'
import { answered, refused } from '../judge/answer.ts'
import { check, given } from '../judge/expect.ts'
import { created } from '../judge/webhook-record.ts'
import { webhookBody } from '../webhooks/wish.ts'
import type { Exchange } from '../wire/exchange.ts'

export const webhookSettings = scenario({
  title: 'webhook settings are open on a plan that has them, and closed on one that has not',
  exchanges: ['open', 'closed', 'again'],
  needs: { session: true },
  cost: { requests: 5, turns: 0 },
  async play(t) {
    await t.manage('open', { body: webhookBody(t) })
    await t.enter('plan.without-webhooks')
    // A creation: whether what was set up on another plan may still be read is not shown.
    await t.manage('closed', { body: webhookBody(t) })
    await t.leave('plan.without-webhooks')
    await t.manage('again')
  },
  judge: {
    // That the same session may do it is known by then: a refusal is the subject.
    'PLAN-WEBHOOKS': ({ open, again }) => given(created(open), () => stillOpen(again)),
    'PLAN-WEBHOOKS-OTHER': ({ open, closed }) => given(created(open), () => refused(closed)),
  },
})

function stillOpen(exchange: Exchange): Judgement {
  return given(answered(exchange, 402), () => {
    const got = exchange.response?.status ?? 0
    return check(got < 400, 'webhook settings on a plan with them', `status ${got}`, exchange)
  })
}
