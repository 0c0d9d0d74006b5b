/** Creation and listing of webhooks. */
import type { ClauseId } from '../../../spec/index.ts'
import { scenario, type AnyScenario, type Judgement } from '../../scenario/scenario.ts'
import { answered, object } from '../../assertions/answer.ts'
import { all, check, every, given, observed, pass } from '../../scenario/expect.ts'
import {
  resultOf,
  requestAccepted,
  refusedContent,
  wasAccepted,
  createdWebhook,
  judgeEntry,
  identityOf,
  hasWebhookList,
  isListed,
  listedAs,
  notSelected,
  sameEvents,
} from '../assertions/management/webhook-record.ts'
import { asked } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import {
  listWithAll,
  everyEvent,
  retiredEvent,
  seldom,
  webhookBody,
  bodyWithout,
} from '../webhook-requests.ts'

export const create = scenario({
  title: 'a webhook is created and listed as it was sent',
  exchanges: ['creation', 'list'],
  needs: { session: true },
  cost: { requests: 3, turns: 0 },
  profile: 'smoke',
  async run(t) {
    const creation = await t.manage('creation', { body: webhookBody(t) })
    await t.manage('list', listWithAll(creation))
  },
  judge: {
    'HOOK-CREATE': ({ creation }) => createdWebhook(creation),
    'TGT-HTTPS': ({ creation, list }) =>
      wasAccepted(creation) ? isListed(list, creation) : createdWebhook(creation),
    'HOOK-LIST': ({ creation, list }) => given(createdWebhook(creation), () => hasWebhookList(list)),
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
  },
})

export const noDescription = scenario({
  title: 'a webhook is created without a description; what else can be left out is recorded',
  exchanges: ['whole', 'bare', 'list', 'less[]'],
  needs: { session: true },
  cost: { requests: 12, turns: 0 },
  async run(t) {
    await t.manage('whole', { body: webhookBody(t) })
    const bare = await t.manage('bare', { body: bodyWithout(webhookBody(t), 'description') })
    await t.manage('list', listWithAll(bare))
    for (const member of leftOut) await t.manageMore('less', { body: bodyWithout(webhookBody(t), member) })
  },
  judge: {
    'HOOK-CREATE-NO-DESCRIPTION': ({ whole, bare, list }) =>
      given(createdWebhook(whole), () =>
        given(listedAs(list, whole), () =>
          given(answered(bare), () =>
            check(wasAccepted(bare), 'a webhook, as with a description', resultOf(bare), bare),
          ),
        ),
      ),
  },
  observe: {
    'GAP-WEBHOOK-REQUIRED': ({ whole, less }) =>
      given(createdWebhook(whole), () =>
        observed(less.map((one) => `without ${missing(one)} ${resultOf(one)}`).join('; ')),
      ),
  },
})

const leftOut = ['name', 'endpoint_url', 'events', 'custom_headers'] as const

function missing(exchange: Exchange): string {
  return leftOut.filter((member) => asked(exchange)?.[member] === undefined).join(', ')
}

export const events = scenario({
  title: 'each of the eighteen events can be selected',
  exchanges: ['together', 'each[]', 'removals[]', 'list'],
  needs: { session: true },
  cost: { requests: 3 * everyEvent.length + 3, turns: 0 },
  async run(t) {
    const together = await t.manage('together', { body: webhookBody(t, { events: everyEvent }) })
    await t.manage('list', listWithAll(together))
    if (wasAccepted(together)) return
    // Separately only if they were refused together, to find which one; one at a time, since there may be a limit.
    for (const event of everyEvent) {
      const one = await t.manageMore('each', { body: webhookBody(t, { events: [event] }) })
      const path = `/${encodeURIComponent(identityOf(one)?.id ?? '')}`
      if (identityOf(one)) await t.manageMore('removals', { method: 'DELETE', path })
    }
  },
  judge: {
    'HOOK-CREATE-EVENTS': ({ together, each, list }) =>
      wasAccepted(together)
        ? selectedAll(list, together)
        : every(each, each.some(wasAccepted) ? selectable : createdWebhook),
  },
})

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

/** An invalid event, alone and with a valid one. */
function unselectableScenario(clause: ClauseId, title: string, names: readonly string[]): AnyScenario {
  return scenario({
    title,
    exchanges: ['known', 'alone[]', 'beside[]', 'list'],
    needs: { session: true },
    cost: { requests: 4 * names.length + 3, turns: 0 },
    async run(t) {
      const tried: Exchange[] = []
      for (const name of names)
        tried.push(
          await t.manageMore('alone', { body: webhookBody(t, { events: [name] }) }),
          await t.manageMore('beside', { body: webhookBody(t, { events: [seldom, name] }) }),
        )
      // Last: an earlier refusal was not due to a limit on the webhooks of an agent.
      const known = await t.manage('known', { body: webhookBody(t) })
      await t.manage('list', listWithAll(...tried, known))
    },
    judge: {
      [clause]: ({
        known,
        alone,
        beside,
        list,
      }: Record<'alone' | 'beside', readonly Exchange[]> & Record<'known' | 'list', Exchange>) =>
        selectedNone([...alone, ...beside], list, known),
    },
    observe: {
      'GAP-WEBHOOK-REFUSAL': ({ known, alone }) =>
        given(createdWebhook(known), () => observed([...new Set(alone.map(resultOf))].join('; '))),
    },
  })
}

/** `known`: an ordinary webhook, created last. */
function selectedNone(tried: readonly Exchange[], list: Exchange, known: Exchange): Judgement {
  // A webhook that was accepted by mistake may have used up the limit, and shows that the list works as well.
  const control = [known, ...tried].find((one) => createdWebhook(one).is === 'pass') ?? known
  const judged = every(tried, (one) => all(unless(one), notSelected(one, badOf(one), list, control)))
  return judged.is === 'pass' ? given(createdWebhook(known), () => judged) : judged
}

/** Refused, or accepted without the event according to the list; inconclusive otherwise. */
function unless(bad: Exchange): Judgement {
  return wasAccepted(bad) ? pass : refusedContent(bad, badOf(bad))
}

function badOf(creation: Exchange): string {
  const wanted = asked(creation)?.['events']
  return Array.isArray(wanted) ? String(wanted.at(-1)) : ''
}

export const unknownEvent = unselectableScenario(
  'HOOK-CREATE-UNKNOWN-EVENT',
  'an event that does not exist cannot be selected',
  ['lead.submit', 'touchstone.happened'],
)

export const retired = unselectableScenario(
  'HOOK-CREATE-RETIRED-EVENT',
  'the retired name of an event cannot be selected',
  [retiredEvent],
)
