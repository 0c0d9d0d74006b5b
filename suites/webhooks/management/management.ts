/** Webhooks are created and listed. */
import type { ClauseId } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import { scenario, type AnyScenario } from '../../scenario/scenario.ts'
import { answered, object } from '../../assertions/answer.ts'
import { all, check, every, given, notApplicable, observed, pass } from '../../scenario/expect.ts'
import { fate, taken, turnedAway, wasTaken } from '../assertions/management/managed.ts'
import { asked } from '../../assertions/turn.ts'
import {
  created,
  createdInUtc,
  entry,
  identityOf,
  isList,
  isListed,
  listedAs,
  notSelected,
  sameEvents,
} from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listOf } from '../webhook-requests.ts'
import { everyEvent, retiredEvent, seldom, webhookBody, without } from '../webhook-body.ts'

export const create = scenario({
  title: 'a webhook is created and listed as it was sent',
  exchanges: ['creation', 'list'],
  needs: { session: true },
  cost: { requests: 3, turns: 0 },
  profile: 'smoke',
  async run(t) {
    const creation = await t.manage('creation', { body: webhookBody(t) })
    await t.manage('list', listOf(creation))
  },
  judge: {
    'HOOK-CREATE': ({ creation }) => created(creation),
    'TGT-HTTPS': ({ creation, list }) => (wasTaken(creation) ? isListed(list, creation) : created(creation)),
    'HOOK-LIST': ({ creation, list }) => given(created(creation), () => isList(list)),
    'HOOK-LIST-AS-SENT': ({ creation, list }) => listedAs(list, creation),
    'HOOK-LIST-ACTIVE': ({ creation, list }) =>
      entry(list, creation, ({ is_active: active }) =>
        check(typeof active === 'boolean', 'a boolean `is_active`', JSON.stringify(active) ?? 'none', list),
      ),
    'HOOK-LIST-CREATED-AT': ({ creation, list }) => createdInUtc(list, creation),
  },
  observe: {
    'GAP-WEBHOOK-CREATED': ({ creation }) =>
      given(created(creation), () =>
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
    const bare = await t.manage('bare', { body: without(webhookBody(t), 'description') })
    await t.manage('list', listOf(bare))
    for (const member of leftOut) await t.manageMore('less', { body: without(webhookBody(t), member) })
  },
  judge: {
    'HOOK-CREATE-NO-DESCRIPTION': ({ whole, bare, list }) =>
      given(created(whole), () =>
        given(listedAs(list, whole), () =>
          given(answered(bare), () =>
            check(wasTaken(bare), 'a webhook, as with a description', fate(bare), bare),
          ),
        ),
      ),
    'HOOK-LIST-AS-SENT': ({ bare, list }) =>
      wasTaken(bare) ? listedAs(list, bare) : notApplicable('a webhook without a description is refused'),
  },
  observe: {
    'GAP-WEBHOOK-REQUIRED': ({ whole, less }) =>
      given(created(whole), () =>
        observed(less.map((one) => `without ${missing(one)} ${fate(one)}`).join('; ')),
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
    await t.manage('list', listOf(together))
    if (wasTaken(together)) return
    // One by one only where they were refused together, to tell which it was; one at a time, as there may be a limit.
    for (const event of everyEvent) {
      const one = await t.manageMore('each', { body: webhookBody(t, { events: [event] }) })
      const path = `/${encodeURIComponent(identityOf(one)?.id ?? '')}`
      if (identityOf(one)) await t.manageMore('removals', { method: 'DELETE', path })
    }
  },
  judge: {
    'HOOK-CREATE-EVENTS': ({ together, each, list }) =>
      wasTaken(together)
        ? selectedAll(list, together)
        : every(each, each.some(wasTaken) ? selectable : created),
  },
})

function selectable(creation: Exchange): Judgement {
  const judgement = taken(creation)
  if (judgement.is !== 'broken') return judgement
  return { ...judgement, expected: `${selectionOf(creation)} to be taken` }
}

function selectedAll(list: Exchange, creation: Exchange): Judgement {
  return entry(list, creation, ({ events: listed }) =>
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

/** An event that is none, alone and beside one that is. */
function unselectable(clause: ClauseId, title: string, names: readonly string[]): AnyScenario {
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
      // It comes last: what was refused before was not refused because the agent may have no more webhooks.
      const known = await t.manage('known', { body: webhookBody(t) })
      await t.manage('list', listOf(...tried, known))
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
        given(created(known), () => observed([...new Set(alone.map(fate))].join('; '))),
    },
  })
}

/** `known`: a webhook as any other, which was created last. */
function selectedNone(tried: readonly Exchange[], list: Exchange, known: Exchange): Judgement {
  // What was let in may have taken the place of the last one, and shows just as well that the list is one.
  const control = [known, ...tried].find((one) => created(one).is === 'pass') ?? known
  const judged = every(tried, (one) => all(unless(one), notSelected(one, badOf(one), list, control)))
  return judged.is === 'pass' ? given(created(known), () => judged) : judged
}

/** Refused, or taken without the event: the list tells. Only what is neither says nothing. */
function unless(bad: Exchange): Judgement {
  return wasTaken(bad) ? pass : turnedAway(bad, badOf(bad))
}

function badOf(creation: Exchange): string {
  const wanted = asked(creation)?.['events']
  return Array.isArray(wanted) ? String(wanted.at(-1)) : ''
}

export const unknownEvent = unselectable(
  'HOOK-CREATE-UNKNOWN-EVENT',
  'an event that does not exist cannot be selected',
  ['lead.submit', 'touchstone.happened'],
)

export const retired = unselectable(
  'HOOK-CREATE-RETIRED-EVENT',
  'the retired name of an event cannot be selected',
  [retiredEvent],
)
