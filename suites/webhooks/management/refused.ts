/**
 * Webhooks that cannot be: endpoints that are no HTTPS URL or at a blocked address, and events that do not exist. They
 * are only submitted: a service that accepts an address and blocks at delivery is not tested with one that may belong to
 * others.
 */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { blocked, hostOf } from '../assertions/canary.ts'
import { all, every, given, inTurn, notApplicable, observed, pass } from '../../scenario/expect.ts'
import {
  createdWebhook,
  entryOf,
  identityOf,
  isListed,
  leftNothing,
  listedAs,
  notSelected,
  refusedContent,
  requestAccepted,
  resultOf,
  wasAccepted,
} from '../assertions/management/webhook-record.ts'
import { asked } from '../../assertions/turn.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import { doubtful, foreign, type HostKind } from '../targets/hosts.ts'
import {
  mustBeCreated,
  elsewhere,
  listWithAll,
  retiredEvent,
  seldom,
  webhookBody,
} from '../webhook-requests.ts'

const hostKinds = ['private', 'internal', 'spelled'] as const
const schemes = ['http', 'HTTP', 'ftp', 'ws']
/** Neither the localhost that development excuses nor an address of this machine. */
const beginnings = ['localhost.', '127.0.0.1.']
const noUrls = ['not a url', '/hooks/relative', 'https://', 'https://exa mple.com/hooks']
/** Alone, and with an event that there is. */
const noEvents = [['lead.submit'], [seldom, 'touchstone.happened'], [retiredEvent], [seldom, retiredEvent]]

const refusals =
  schemes.length + beginnings.length + noUrls.length + noEvents.length + foreign.length + doubtful.length

const judgeHosts = (kind: HostKind) => (seen: HostExchanges, context: Context) => {
  // Refused at creation and as an update, and not listed; the same with a public address was accepted afterwards.
  const { list, last, changedBack } = seen
  const offers = seen[kind]
  const { dialect } = context
  return given(all(isListed(list, last), requestAccepted(changedBack)), () =>
    every(offers, (request) => {
      const judgement = blocked({ request, arrived: [], log: undefined, dialect })
      const isCreation = request.request.method === 'POST'
      return judgement.is === 'pass' && isCreation ? leftNothing(list, request, last) : judgement
    }),
  )
}

export const webhooks = scenario({
  title:
    'a webhook is refused with an endpoint that is no HTTPS URL, but for localhost, or at a blocked address, at creation and as an update, and with an event that does not exist',
  exchanges: [
    'plain[]',
    'broken[]',
    'unknown[]',
    'retired[]',
    'local',
    'known',
    'private[]',
    'internal[]',
    'spelled[]',
    'doubtful[]',
    'last',
    'changed',
    'list',
    'changedBack',
  ],
  needs: { session: true },
  cost: { requests: 2 * (refusals + 3) + hostKinds.length + 3, turns: 0 },
  async run(t) {
    t.note('development', t.development)
    const offer = (name: 'plain' | 'broken' | HostKind | 'doubtful', endpoint_url: string) =>
      t.manageMore(name, { body: webhookBody(t, { endpoint_url }) })
    for (const scheme of schemes) await offer('plain', elsewhere(t, scheme))
    for (const beginning of beginnings)
      await offer('plain', elsewhere(t, 'http').replace('//', `//${beginning}`))
    for (const text of noUrls) await offer('broken', text)
    const tried: Exchange[] = []
    for (const events of noEvents) {
      const name = events.includes(retiredEvent) ? 'retired' : 'unknown'
      tried.push(await t.manageMore(name, { body: webhookBody(t, { events }) }))
    }
    // Nothing is sent there: a closed port suffices.
    const endpoint_url = 'http://localhost:9/touchstone'
    const local = await t.manage('local', { body: webhookBody(t, { endpoint_url }) })
    // Before the hosts: a service that blocks at delivery lets them in, and they use up a limit.
    const known = await t.manage('known', { body: webhookBody(t) })
    // Over HTTPS: only the host is invalid.
    const at = (host: string): string => `https://${host}/touchstone/${t.uuid()}`
    // One of each kind as an update too: a service checks both alike, or forgets one.
    const byUpdate = hostKinds.flatMap((kind) => {
      const hosts = foreign.filter((one) => one.kind === kind)
      return hosts.slice(t.pick(hosts.length)).slice(0, 1)
    })
    for (const one of foreign) await offer(one.kind, at(one.host))
    for (const host of doubtful) await offer('doubtful', at(host))
    // No host was refused for a limit on the webhooks of an agent.
    const last = await t.manage('last', { body: webhookBody(t) })
    const id = identityOf(known)?.id
    const change = (body: Readonly<Record<string, Json>>) =>
      ({ method: 'PATCH', path: `/${encodeURIComponent(id ?? '')}`, body }) as const
    if (id !== undefined) await t.manage('changed', change({ endpoint_url: elsewhere(t, 'http') }))
    await t.manage('list', listWithAll(known, last, ...tried, local))
    // What was let in may have used up a limit.
    mustBeCreated(t, known)
    for (const { kind, host } of byUpdate) await t.manageMore(kind, change({ endpoint_url: at(host) }))
    // None was refused because the webhook cannot be changed.
    await t.manage('changedBack', change({ endpoint_url: elsewhere(t) }))
  },
  judge: {
    'TGT-HTTP': ({ known, plain, list }) => refusedEndpoints(known, plain, list),
    'TGT-HTTP-UPDATE': ({ known, changed, list, changedBack }) =>
      given(all(createdWebhook(known), requestAccepted(changedBack)), () =>
        wasAccepted(changed) && isSecure(entryOf(list, known)?.['endpoint_url'])
          ? stillSecure
          : all(refusedContent(changed, urlOf(changed)), listedAs(list, known, ['endpoint_url'])),
      ),
    'TGT-NOT-URL': ({ known, broken, list }) => refusedEndpoints(known, broken, list),
    'TGT-LOCALHOST': ({ known, local, list }, { notes }) =>
      given(createdWebhook(known), () =>
        notes['development'] === true
          ? inTurn(requestAccepted(local), isListed(list, local))
          : notApplicable('the target does not count as one in development'),
      ),
    'HOOK-CREATE-UNKNOWN-EVENT': ({ unknown, list, known }) => selectedNone(unknown, list, known),
    'HOOK-CREATE-RETIRED-EVENT': ({ retired, list, known }) => selectedNone(retired, list, known),
    'TGT-PRIVATE': judgeHosts('private'),
    'TGT-INTERNAL': judgeHosts('internal'),
    'TGT-SPELLING': judgeHosts('spelled'),
  },
  observe: {
    'GAP-WEBHOOK-REFUSAL': ({ known, plain, unknown, retired }) =>
      given(createdWebhook(known), () =>
        observed([...new Set([...plain, ...unknown, ...retired].map(resultOf))].join('; ')),
      ),
    'GAP-DEVELOPMENT': ({ known, local }) =>
      given(createdWebhook(known), () => observed(`a webhook at http://localhost is ${resultOf(local)}`)),
    'GAP-BLOCKED-WHEN': (seen) =>
      given(createdWebhook(seen.last), () => {
        const offers = [...seen.private, ...seen.internal, ...seen.spelled]
        return observed(
          [
            offers.some(wasAccepted) ? 'not at creation alone' : 'at creation',
            ...seen.doubtful.map((one) => `${hostOf(one)} ${resultOf(one)}`),
          ].join('; '),
        )
      }),
  },
})

type HostExchanges = Readonly<
  Record<'last' | 'changedBack' | 'list', Exchange> & Record<HostKind, readonly Exchange[]>
>

/** `known`: an ordinary webhook, created afterwards. */
function selectedNone(tried: readonly Exchange[], list: Exchange, known: Exchange): Judgement {
  // A webhook that was accepted by mistake may have used up the limit, and shows that the list works as well.
  const control = [known, ...tried].find((one) => createdWebhook(one).is === 'pass') ?? known
  const judged = every(tried, (one) =>
    all(
      // Accepted, it was without the event according to the list.
      wasAccepted(one) ? pass : refusedContent(one, badOf(one)),
      notSelected(one, badOf(one), list, control),
    ),
  )
  return judged.is === 'pass' ? given(createdWebhook(known), () => judged) : judged
}

function badOf(creation: Exchange): string {
  const wanted = asked(creation)?.['events']
  return Array.isArray(wanted) ? String(wanted.at(-1)) : ''
}

/** Each is refused and not listed; one that differs only in the endpoint was accepted and is listed. */
function refusedEndpoints(twin: Exchange, refused: readonly Exchange[], list: Exchange): Judgement {
  // A webhook that was accepted by mistake may have used up the limit.
  const letIn = refused.filter((one) => createdWebhook(one).is === 'pass')
  if (letIn.length > 0) return every(letIn, (one) => letInAs(one, list))
  return given(createdWebhook(twin), () =>
    every(refused, (one) => all(refusedContent(one, urlOf(one)), leftNothing(list, one, twin))),
  )
}

/** Accepted: a service may change the scheme to HTTPS, and an address that begins with it is HTTPS, if useless. */
function letInAs(creation: Exchange, list: Exchange): Judgement {
  const letIn = refusedContent(creation, urlOf(creation))
  const listed = entryOf(list, creation)?.['endpoint_url']
  const sent = asked(creation)?.['endpoint_url']
  if (letIn.is !== 'fail' || !isSecure(listed) || !isSamePlace(sent, listed)) return letIn
  return isSecure(sent) ? { ...letIn, is: 'warn' } : stillSecure
}

/** The listed endpoint is the one that was sent, in any scheme. */
function isSamePlace(sent: unknown, listed: unknown): boolean {
  const [one, other] = [sent, listed].map((url) => String(url).replace(/^https?:\/*/i, ''))
  return one === other
}

const stillSecure: Judgement = { is: 'pass', note: 'taken, and listed with HTTPS' }

const isSecure = (url: unknown): boolean => typeof url === 'string' && /^https:/i.test(url)

function urlOf(exchange: Exchange): string {
  const url = String(asked(exchange)?.['endpoint_url'])
  return `the endpoint ${url.replace(/touchstone\/.*/, 'touchstone')}`
}
