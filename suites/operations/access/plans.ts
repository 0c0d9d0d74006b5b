/** Plans with and without webhook settings. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { answered } from '../../assertions/answer.ts'
import { all, check, given, pass } from '../../scenario/expect.ts'
import {
  refusedCredentials,
  createdWebhook,
  isListed,
  leftNothing,
  listedAs,
} from '../../webhooks/assertions/management/webhook-record.ts'
import { elsewhere, mustBeCreated, webhookBody } from '../../webhooks/webhook-requests.ts'
import type { Exchange } from '../../wire/exchange.ts'

export const webhookSettings = scenario({
  title: 'webhook settings are available on a plan with them, and refused on one without',
  exchanges: ['open', 'closed', 'changed', 'again'],
  needs: { enters: ['plan.without-webhooks'], session: true },
  cost: { requests: 6, turns: 0 },
  async run(t) {
    const open = await t.manage('open', { body: webhookBody(t) })
    const { id } = mustBeCreated(t, open)
    await t.enter('plan.without-webhooks')
    // Whether settings made on another plan may still be read or removed is not shown.
    await t.manage('closed', { body: webhookBody(t) })
    const changed = { name: t.text(24), endpoint_url: elsewhere(t) }
    await t.manage('changed', { method: 'PATCH', path: `/${encodeURIComponent(id)}`, body: changed })
    await t.leave('plan.without-webhooks')
    await t.manage('again')
  },
  judge: {
    // The same session is known to have permission by then, so a refusal is judged.
    'PLAN-WEBHOOKS': ({ open, again }) => given(createdWebhook(open), () => stillOpen(again)),
    'PLAN-WEBHOOKS-OTHER': ({ open, closed, changed, again }) =>
      given(createdWebhook(open), () =>
        all(
          refusedCredentials(closed, 'a creation on a plan without webhooks'),
          refusedCredentials(changed, 'an update on a plan without webhooks'),
          // A list may lag behind, so it is judged once it shows the webhook.
          isListed(again, open).is === 'pass'
            ? all(leftNothing(again, closed, open), listedAs(again, open, ['name', 'endpoint_url']))
            : pass,
        ),
      ),
  },
})

function stillOpen(exchange: Exchange): Judgement {
  return given(answered(exchange, 402), () => {
    const got = exchange.response?.status ?? 0
    return check(got < 400, 'webhook settings on a plan with them', `status ${got}`, exchange)
  })
}
