/** Webhooks from their creation to their removal, by the signed-in user and by those who may not manage them. */
import { scenario, type Context, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { answered, object } from '../../assertions/answer.ts'
import {
  all,
  check,
  every,
  fail,
  given,
  inconclusive,
  inTurn,
  need,
  notApplicable,
  observed,
  pass,
  warn,
} from '../../scenario/expect.ts'
import { coreOf, shownCharacters } from '../assertions/management/disclosure.ts'
import {
  createdWebhook,
  entryOf,
  hasWebhookList,
  identityOf,
  isListed,
  isUnlisted,
  judgeEntry,
  leftNothing,
  listedAs,
  refusedCredentials,
  requestAccepted,
  resultOf,
  sameBut,
  sameEvents,
  sameLasting,
  wasAccepted,
} from '../assertions/management/webhook-record.ts'
import { secretsApart } from '../assertions/signature.ts'
import { asked } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import {
  bodyWithout,
  elsewhere,
  everyEvent,
  listWith,
  listWithAll,
  listWithout,
  mustBeCreated,
  readLogOf,
  webhookBody,
} from '../webhook-requests.ts'

const routes = ['create', 'list', 'update', 'test', 'log', 'remove', 'endedCreate', 'endedRemove'] as const

/** Sends every route with these credentials, and two beside an expired session. */
async function sendRoutes(
  t: Driver<'key[]' | 'none[]'>,
  name: 'key' | 'none',
  as: 'self' | null,
  path: string,
): Promise<void> {
  const headers = t.endedSession()
  await t.manageMore(name, { body: webhookBody(t), as })
  await t.manageMore(name, { as })
  await t.manageMore(name, { method: 'PATCH', path, body: { name: t.text(24) }, as })
  await t.manageMore(name, { method: 'POST', path: `${path}/test`, as })
  await t.manageMore(name, { path: `${path}/logs`, as })
  await t.manageMore(name, { method: 'DELETE', path, as })
  await t.manageMore(name, { body: webhookBody(t), as, headers })
  await t.manageMore(name, { method: 'DELETE', path, as, headers })
}

/** Every event at once; each separately only if they were refused, to find which one: there may be a limit. */
async function createTogether(t: Driver<'together' | 'each[]' | 'removals[]'>): Promise<Exchange> {
  const together = await t.manage('together', { body: webhookBody(t, { events: everyEvent }) })
  for (const event of wasAccepted(together) ? [] : everyEvent) {
    const one = await t.manageMore('each', { body: webhookBody(t, { events: [event] }) })
    const path = `/${encodeURIComponent(identityOf(one)?.id ?? '')}`
    if (identityOf(one)) await t.manageMore('removals', { method: 'DELETE', path })
  }
  return together
}

interface Seen extends Readonly<
  Record<'second' | 'other' | 'update' | 'log' | 'removal' | 'left' | 'after', Exchange>
> {
  readonly key: readonly Exchange[]
  readonly none: readonly Exchange[]
}

/** The one that is not removed; a service may refuse a second webhook with one endpoint. */
const keptOf = (seen: Pick<Seen, 'second' | 'other'>): Exchange =>
  wasAccepted(seen.second) ? seen.second : seen.other

export const life = scenario({
  title:
    'webhooks with any events, of one endpoint too, are created, listed, changed and removed separately, with a session and neither without one nor with an API key instead of it',
  exchanges: [
    'first',
    'bare',
    'together',
    'begun',
    'each[]',
    'removals[]',
    'less[]',
    'second',
    'other',
    'both',
    'update',
    'renamed',
    'log',
    'off',
    'described',
    'removal',
    'late',
    'foreign',
    'left',
    'key[]',
    'none[]',
    'after',
    'again',
  ],
  needs: { session: true },
  cost: { requests: 53 + 2 * everyEvent.length, turns: 0 },
  async run(t) {
    const endpoint_url = elsewhere(t)
    const first = await t.manage('first', { body: webhookBody(t, { endpoint_url }) })
    const bare = await t.manage('bare', { body: bodyWithout(webhookBody(t), 'description') })
    const together = await createTogether(t)
    const gone = `/${encodeURIComponent(mustBeCreated(t, first).id)}`
    await t.manage('begun', listWithAll(first, bare, together))
    // An agent may have no more than three, and what follows needs two beside the bare one.
    const spent = identityOf(together)
    if (spent) await t.manageMore('removals', { method: 'DELETE', path: `/${encodeURIComponent(spent.id)}` })
    // Ordinary text of a user, beyond ASCII.
    const words = { name: `Bücher 予約 ${t.text(12)}`, description: `Für Zoë: ${t.text(12)}`, endpoint_url }
    const second = await t.manage('second', { body: webhookBody(t, words) })
    const kept = wasAccepted(second) ? second : await t.manage('other', { body: webhookBody(t) })
    const hook = mustBeCreated(t, kept)
    const path = `/${encodeURIComponent(hook.id)}`
    const both = await t.manage('both', listWithAll(first, bare, kept))
    const masked = entryOf(both, kept)?.['secret_key_preview']
    // The record does not contain the secret, so note here how much of it is shown.
    if (typeof masked === 'string') {
      t.note('shown', String(shownCharacters(hook.secret, masked)))
      t.note('of', coreOf(hook.secret).length)
    }
    const change = { name: t.text(24) }
    await t.manage('update', { method: 'PATCH', path, body: change })
    await t.manage('renamed', listWith(hook, change))
    await t.manage('log', readLogOf(hook))
    // Not of the one that must stay as it is: the list may show it later, and one that is off sends no sample.
    const spare = identityOf(bare)
    if (spare) {
      const aside = `/${encodeURIComponent(spare.id)}`
      await t.manage('off', { method: 'PATCH', path: aside, body: { is_active: false } })
      await t.manage('described', { method: 'PATCH', path: aside, body: { description: t.text(32) } })
    }
    await t.manage('removal', { method: 'DELETE', path: gone })
    await t.manage('late', { method: 'PATCH', path: gone, body: { name: t.text(24) } })
    if (t.secondAgent !== '')
      await t.manage('foreign', { body: webhookBody(t, { endpoint_url }), agent: t.secondAgent })
    await t.manage('left', listWithout(first, kept))
    await sendRoutes(t, 'key', 'self', path)
    await sendRoutes(t, 'none', null, path)
    await t.manage('after', listWithAll(kept))
    await t.manage('again', { body: webhookBody(t, { endpoint_url }) })
    for (const member of leftOut) await t.manageMore('less', { body: bodyWithout(webhookBody(t), member) })
  },
  judge: {
    'HOOK-CREATE': ({ first }) => createdWebhook(first),
    'TGT-HTTPS': (seen) =>
      wasAccepted(seen.first) ? isListed(seen.both, keptOf(seen)) : createdWebhook(seen.first),
    'HOOK-LIST': ({ first, both }) => given(createdWebhook(first), () => hasWebhookList(both)),
    'HOOK-CREATE-NO-DESCRIPTION': ({ first, bare, both }) =>
      given(all(createdWebhook(first), listedAs(both, first), answered(bare)), () =>
        check(wasAccepted(bare), 'a webhook, as with a description', resultOf(bare), bare),
      ),
    'HOOK-CREATE-EVENTS': (seen) =>
      wasAccepted(seen.together)
        ? selectedAll(seen.begun, seen.together)
        : every(seen.each, seen.each.some(wasAccepted) ? selectable : createdWebhook),
    'HOOK-LIST-AS-SENT': ({ first, second, both }) =>
      wasAccepted(second)
        ? given(all(createdWebhook(first), areTwo(first, second)), () =>
            every([first, second], (one) => isListed(both, one)),
          )
        : notApplicable('a second webhook with one endpoint is refused'),
    'HOOK-LIST-PREVIEW': (seen, context) => preview(seen.both, keptOf(seen), context),
    'HOOK-UPDATE-NAME': (seen) =>
      inTurn(need(createdWebhook(keptOf(seen))), requestAccepted(seen.update), () =>
        judgeEntry(seen.renamed, keptOf(seen), ({ name: listed }) =>
          check(
            listed === asked(seen.update)?.['name'],
            'the new name',
            JSON.stringify(listed) ?? 'none',
            seen.renamed,
          ),
        ),
      ),
    'HOOK-UPDATE-REST': (seen) =>
      given(requestAccepted(seen.update), () =>
        sameBut('name', keptOf(seen), { before: seen.both, after: seen.renamed, updates: [seen.update] }),
      ),
    'HOOK-DELETE': (seen) => {
      const { first, both, removal, left } = seen
      const kept = keptOf(seen)
      return inTurn(
        need(all(isListed(both, first), isListed(both, kept), areTwo(first, kept))),
        requestAccepted(removal),
        () => all(isListed(left, kept), isUnlisted(left, first, kept)),
      )
    },
    'SIGN-SECRET-OWN': ({ first, removal, again }) =>
      given(all(createdWebhook(first), requestAccepted(removal), createdWebhook(again)), () =>
        secretsApart([first, again]),
      ),
    'HOOK-KEY-CREATE': (seen) => creating(seen, 'key', 'a creation with an API key'),
    'HOOK-KEY-EDIT': (seen) => editing(seen, 'key', 'with an API key'),
    'HOOK-KEY-READ': (seen) => reading(seen, 'key', 'with an API key'),
    'HOOK-NO-SESSION': (seen) =>
      all(
        creating(seen, 'none', 'a creation without a session'),
        editing(seen, 'none', 'without a session'),
        reading(seen, 'none', 'without a session'),
      ),
  },
  observe: {
    'GAP-WEBHOOK-CREATED': ({ first }) =>
      given(createdWebhook(first), () =>
        observed(
          `${first.response?.status} with ${Object.keys(object(first) ?? {})
            .sort()
            .join(', ')}`,
        ),
      ),
    'GAP-WEBHOOK-REQUIRED': ({ less }) =>
      observed(less.map((one) => `without ${missing(one)} ${resultOf(one)}`).join('; ')),
    'GAP-SECRET-PREVIEW': (seen, { notes }) =>
      given(createdWebhook(keptOf(seen)), () =>
        notes['shown'] === undefined
          ? inconclusive('there is no preview')
          : observed(`it shows ${notes['shown']} characters of the secret`),
      ),
    'GAP-WEBHOOK-BODIES': ({ update, removal }) =>
      observed(
        `an update is ${resultOf(update)}, with ${bodyOf(update)}; a removal is ${resultOf(removal)}, with ${bodyOf(removal)}`,
      ),
    'GAP-UPDATE-DESCRIPTION': ({ left, bare, described }) =>
      given(isListed(left, bare), () => {
        const listed = entryOf(left, bare)?.['description']
        const isNew = listed === asked(described)?.['description']
        return observed(`it is ${resultOf(described)} and ${isNew ? 'listed' : 'not listed'}`)
      }),
    'GAP-TURN-OFF': ({ left, bare, off }) =>
      given(isListed(left, bare), () => {
        const listed = JSON.stringify(entryOf(left, bare)?.['is_active'])
        return observed(`\`is_active: false\` is ${resultOf(off)} and listed as ${listed}`)
      }),
    'GAP-SESSION-REFUSAL': ({ key }) => observed([...new Set(key.slice(0, 6).map(resultOf))].join('; ')),
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

function areTwo(first: Exchange, second: Exchange): Judgement {
  return check(
    identityOf(first)?.id !== identityOf(second)?.id,
    'an id of its own',
    'that of the first',
    second,
  )
}

/** With so few characters masked, a secret is shown. */
const leastMasked = 4

/** How much of it may be shown is not stated: less than half is certainly masked. */
function preview(list: Exchange, creation: Exchange, { notes }: Context): Judgement {
  return judgeEntry(list, creation, ({ secret_key_preview: masked }) => {
    const expected = 'a `secret_key_preview` with less than half of the secret'
    if (typeof masked !== 'string' || masked === '')
      return fail(expected, `\`secret_key_preview\`: ${JSON.stringify(masked) ?? 'none'}`, list)
    const shown = Number(notes['shown'])
    if (shown === Number.POSITIVE_INFINITY) return fail(expected, 'all of it', list)
    const judge = shown >= Number(notes['of']) - leastMasked ? fail : warn
    return 2 * shown < Number(notes['of']) ? pass : judge(expected, `${shown} characters`, list)
  })
}

function bodyOf(exchange: Exchange): string {
  const body = object(exchange)
  return body ? `an object of ${Object.keys(body).sort().join(', ') || 'nothing'}` : 'no object'
}

/** What was sent to a route with one kind of credentials. */
const sentTo = (seen: Seen, as: 'key' | 'none', route: (typeof routes)[number]): Exchange =>
  seen[as][routes.indexOf(route)] ?? seen.after

/** Refused, also with an expired session, and not created; the same with the session was accepted. */
function creating(seen: Seen, as: 'key' | 'none', what: string): Judgement {
  const [create, ended] = [sentTo(seen, as, 'create'), sentTo(seen, as, 'endedCreate')]
  const kept = keptOf(seen)
  return given(createdWebhook(kept), () =>
    all(
      refusedCredentials(create, what),
      leftNothing(seen.after, create, kept),
      refusedCredentials(ended, `${what} and with a session that has ended`),
      leftNothing(seen.after, ended, kept),
    ),
  )
}

/** Refused, and the webhook is unchanged; the same with the session was accepted. */
function editing(seen: Seen, as: 'key' | 'none', how: string): Judgement {
  const { update, removal, left, after } = seen
  const kept = keptOf(seen)
  const [remove, ended] = [sentTo(seen, as, 'remove'), sentTo(seen, as, 'endedRemove')]
  return given(isListed(left, kept), () =>
    all(
      beside(update, refusedCredentials(sentTo(seen, as, 'update'), `a change ${how}`)),
      beside(removal, refusedCredentials(remove, `a removal ${how}`)),
      beside(removal, refusedCredentials(ended, `a removal ${how} and with a session that has ended`)),
      isListed(after, kept),
      sameLasting(kept, { before: left, after, updates: [] }, []),
    ),
  )
}

function reading(seen: Seen, as: 'key' | 'none', how: string): Judgement {
  return given(createdWebhook(keptOf(seen)), () =>
    all(
      beside(seen.after, refusedCredentials(sentTo(seen, as, 'list'), `a list ${how}`)),
      refusedCredentials(sentTo(seen, as, 'test'), `a test ${how}`),
      beside(seen.log, refusedCredentials(sentTo(seen, as, 'log'), `a look at the log ${how}`)),
    ),
  )
}

/** A refusal counts only if the same request was accepted otherwise; an accepted one counts in any case. */
function beside(twin: Exchange, judgement: Judgement): Judgement {
  return judgement.is === 'pass' ? given(requestAccepted(twin), () => judgement) : judgement
}
