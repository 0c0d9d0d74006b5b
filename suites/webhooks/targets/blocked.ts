/**
 * Endpoints at blocked addresses. They are only submitted: a service that accepts them and blocks at delivery is not
 * tested with addresses that may belong to others.
 */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { blocked, hostOf } from '../assertions/canary.ts'
import { all, every, given, observed } from '../../scenario/expect.ts'
import {
  resultOf,
  requestAccepted,
  wasAccepted,
  createdWebhook,
  isListed,
  leftNothing,
} from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listWithAll, elsewhere, mustBeCreated, webhookBody } from '../webhook-requests.ts'
import { doubtful, foreign, type HostKind } from './hosts.ts'

type BlockedExchanges = Readonly<
  Record<'twin' | 'moved' | 'last' | 'list', Exchange> & Record<HostKind | 'doubtful', readonly Exchange[]>
>

const judgeOf = (kind: HostKind) => (seen: BlockedExchanges, context: Context) =>
  refusedAll(seen, seen[kind], context)

/** A creation with each of these hosts, and an update with some, over HTTPS: only the host is invalid. */
export const spellings = scenario({
  title: 'an endpoint at a blocked address is refused however it is written, at creation and as an update',
  exchanges: ['twin', 'private[]', 'internal[]', 'spelled[]', 'doubtful[]', 'moved', 'last', 'list'],
  needs: { session: true },
  cost: { requests: 6 + 2 * foreign.length + 3 + 2 * doubtful.length, turns: 0 },
  async run(t) {
    const twin = await t.manage('twin', { body: webhookBody(t) })
    const { id } = mustBeCreated(t, twin)
    const path = `/${encodeURIComponent(id)}`
    const at = (host: string): string => `https://${host}/touchstone/${t.uuid()}`
    for (const { kind, host } of foreign)
      await t.manageMore(kind, { body: webhookBody(t, { endpoint_url: at(host) }) })
    for (const kind of ['private', 'internal', 'spelled'] as const) {
      const hosts = foreign.filter((one) => one.kind === kind)
      // As an update, too: a service checks both alike, or forgets one.
      const body = { endpoint_url: at(hosts[t.pick(hosts.length)]?.host ?? '') }
      await t.manageMore(kind, { method: 'PATCH', path, body })
    }
    for (const host of doubtful)
      await t.manageMore('doubtful', { body: webhookBody(t, { endpoint_url: at(host) }) })
    // A refusal was not due to an unchangeable webhook, or to a limit on the webhooks of an agent.
    await t.manage('moved', { method: 'PATCH', path, body: { endpoint_url: elsewhere(t) } })
    const last = await t.manage('last', { body: webhookBody(t) })
    await t.manage('list', listWithAll(twin, last))
  },
  judge: {
    'TGT-PRIVATE': judgeOf('private'),
    'TGT-INTERNAL': judgeOf('internal'),
    'TGT-SPELLING': judgeOf('spelled'),
  },
  observe: { 'GAP-BLOCKED-WHEN': whenBlocked },
})

/**
 * Refused at creation and as an update, and not listed; the same with a public address was accepted, before and
 * afterwards.
 */
function refusedAll(
  { twin, list, moved, last }: BlockedExchanges,
  offers: readonly Exchange[],
  { dialect }: Context,
): Judgement {
  return given(all(isListed(list, twin), createdWebhook(last), requestAccepted(moved)), () =>
    every(offers, (request) => {
      const judgement = blocked({ request, arrived: [], log: undefined, dialect })
      const isCreation = request.request.method === 'POST'
      return judgement.is === 'pass' && isCreation ? leftNothing(list, request, twin) : judgement
    }),
  )
}

function whenBlocked(seen: BlockedExchanges): Judgement {
  const { twin, doubtful: more } = seen
  const offers = [...seen.private, ...seen.internal, ...seen.spelled]
  return given(createdWebhook(twin), () =>
    observed(
      [
        offers.some(wasAccepted) ? 'not at creation alone' : 'at creation',
        ...more.map((one) => `${hostOf(one)} ${resultOf(one)}`),
      ].join('; '),
    ),
  )
}
