/** Creation and listing of webhooks. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { answered, object } from '../../assertions/answer.ts'
import { all, check, every, given, observed } from '../../scenario/expect.ts'
import {
  resultOf,
  requestAccepted,
  wasAccepted,
  createdWebhook,
  judgeEntry,
  identityOf,
  hasWebhookList,
  isListed,
  listedAs,
  sameEvents,
} from '../assertions/management/webhook-record.ts'
import { asked } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listWithAll, everyEvent, webhookBody, bodyWithout } from '../webhook-requests.ts'

export const create = scenario({
  title:
    'webhooks are created and listed as they were sent, with each of the eighteen events, and without a description',
  exchanges: ['creation', 'bare', 'together', 'list', 'less[]', 'each[]', 'removals[]'],
  needs: { session: true },
  cost: { requests: 15 + 2 * everyEvent.length, turns: 0 },
  profile: 'smoke',
  async run(t) {
    const creation = await t.manage('creation', { body: webhookBody(t) })
    const bare = await t.manage('bare', { body: bodyWithout(webhookBody(t), 'description') })
    const together = await t.manage('together', { body: webhookBody(t, { events: everyEvent }) })
    await t.manage('list', listWithAll(creation, bare, together))
    for (const member of leftOut) await t.manageMore('less', { body: bodyWithout(webhookBody(t), member) })
    if (wasAccepted(together)) return
    // Separately only if they were refused together, to find which one; one at a time, since there may be a limit.
    for (const event of everyEvent) {
      const one = await t.manageMore('each', { body: webhookBody(t, { events: [event] }) })
      const path = `/${encodeURIComponent(identityOf(one)?.id ?? '')}`
      if (identityOf(one)) await t.manageMore('removals', { method: 'DELETE', path })
    }
  },
  judge: {
    'HOOK-CREATE': ({ creation }) => createdWebhook(creation),
    'TGT-HTTPS': ({ creation, list }) =>
      wasAccepted(creation) ? isListed(list, creation) : createdWebhook(creation),
    'HOOK-LIST': ({ creation, list }) => given(createdWebhook(creation), () => hasWebhookList(list)),
    'HOOK-CREATE-NO-DESCRIPTION': ({ creation, bare, list }) =>
      given(all(createdWebhook(creation), listedAs(list, creation), answered(bare)), () =>
        check(wasAccepted(bare), 'a webhook, as with a description', resultOf(bare), bare),
      ),
    'HOOK-CREATE-EVENTS': ({ together, each, list }) =>
      wasAccepted(together)
        ? selectedAll(list, together)
        : every(each, each.some(wasAccepted) ? selectable : createdWebhook),
  },
  observe: {
    'GAP-WEBHOOK-CREATED': ({ creation }) =>
      given(createdWebhook(creation), () =>
        observed(
          `${creation.response?.status} with ${Object.keys(object(creation) ?? {})
            .sort()
            .join(', ')}`,
        ),
      ),
    'GAP-WEBHOOK-REQUIRED': ({ creation, less }) =>
      given(createdWebhook(creation), () =>
        observed(less.map((one) => `without ${missing(one)} ${resultOf(one)}`).join('; ')),
      ),
  },
})

const leftOut = ['name', 'endpoint_url', 'events', 'custom_headers'] as const

function missing(exchange: Exchange): string {
  return leftOut.filter((member) => asked(exchange)?.[member] === undefined).join(', ')
}

function selectable(creation: Exchange): Judgement {
  const judgement = requestAccepted(creation)
  if (judgement.is !== 'fail') return judgement
  return { ...judgement, expected: `${selectionOf(creation)} to be taken` }
}

function selectedAll(list: Exchange, creation: Exchange): Judgement {
  return judgeEntry(list, creation, ({ events: listed }) =>
    check(
      sameEvents(asked(creation)?.['events'], listed),
      selectionOf(creation),
      JSON.stringify(listed) ?? 'none',
      list,
    ),
  )
}

function selectionOf(creation: Exchange): string {
  const wanted = asked(creation)?.['events']
  return Array.isArray(wanted) ? wanted.join(', ') : 'none'
}
