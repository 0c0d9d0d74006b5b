/** Which plans have webhook settings. */
import { scenario } from '../engine/scenario.ts'
import { given } from '../judge/expect.ts'
import { keptOut } from '../judge/managed.ts'
import { isList } from '../judge/webhook-record.ts'

export const webhookSettings = scenario({
  title: 'webhook settings are open on a plan that has them, and closed on one that has not',
  exchanges: ['open', 'closed', 'again'],
  needs: { session: true },
  cost: { requests: 3, turns: 0 },
  async play(t) {
    await t.manage('open')
    await t.enter('plan.without-webhooks')
    await t.manage('closed')
    await t.leave('plan.without-webhooks')
    await t.manage('again')
  },
  judge: {
    // That the same session may do it is known by then: a refusal is the subject.
    'PLAN-WEBHOOKS': ({ open, again }) => given(isList(open), () => isList(again)),
    'PLAN-WEBHOOKS-OTHER': ({ open, closed }) =>
      given(isList(open), () => keptOut(closed, 'webhook settings on a plan without them')),
  },
})
