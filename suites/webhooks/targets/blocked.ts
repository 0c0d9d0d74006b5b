/**
 * Endpoints at blocked addresses. They are only submitted: a service that accepts them and blocks at delivery is not
 * tested with addresses that may belong to others.
 */
import type { ClauseId } from '../../../spec/index.ts'
import { scenario, type AnyScenario, type Context, type Judgement } from '../../scenario/scenario.ts'
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
  Record<'twin' | 'moved' | 'last' | 'list', Exchange> & Record<'offers' | 'doubtful', readonly Exchange[]>
>

/** A creation and an update with each of these hosts, over HTTPS: only the host is invalid. */
function blockedScenario(kind: HostKind, clause: ClauseId, title: string): AnyScenario {
  const hosts = foreign.filter((one) => one.kind === kind)
  const also = kind === 'private' ? doubtful : []
  return scenario({
    title,
    exchanges: ['twin', 'offers[]', 'doubtful[]', 'moved', 'last', 'list'],
    needs: { session: true },
    cost: { requests: 6 + 3 * hosts.length + 2 * also.length, turns: 0 },
    async run(t) {
      const twin = await t.manage('twin', { body: webhookBody(t) })
      const { id } = mustBeCreated(t, twin)
      const path = `/${encodeURIComponent(id)}`
      const at = (host: string): string => `https://${host}/touchstone/${t.uuid()}`
      for (const { host } of hosts) {
        await t.manageMore('offers', { body: webhookBody(t, { endpoint_url: at(host) }) })
        await t.manageMore('offers', { method: 'PATCH', path, body: { endpoint_url: at(host) } })
      }
      for (const host of also)
        await t.manageMore('doubtful', { body: webhookBody(t, { endpoint_url: at(host) }) })
      // A refusal was not due to an unchangeable webhook, or to a limit on the webhooks of an agent.
      await t.manage('moved', { method: 'PATCH', path, body: { endpoint_url: elsewhere(t) } })
      const last = await t.manage('last', { body: webhookBody(t) })
      await t.manage('list', listWithAll(twin, last))
    },
    judge: { [clause]: refusedAll },
    observe: { 'GAP-BLOCKED-WHEN': whenBlocked },
  })
}

export const privateRanges = blockedScenario(
  'private',
  'TGT-PRIVATE',
  'an endpoint in a private range is refused, at creation and as an update',
)
export const internalRanges = blockedScenario(
  'internal',
  'TGT-INTERNAL',
  'an endpoint at a link-local or unique local address is refused, at creation and as an update',
)
export const spellings = blockedScenario(
  'spelled',
  'TGT-SPELLING',
  'an endpoint at a blocked address is refused however it is written',
)

/**
 * Refused at creation and as an update, and not listed; the same with a public address was accepted, before and
 * afterwards.
 */
function refusedAll({ twin, list, offers, moved, last }: BlockedExchanges, { dialect }: Context): Judgement {
  return given(all(isListed(list, twin), createdWebhook(last), requestAccepted(moved)), () =>
    every(offers, (request) => {
      const judgement = blocked({ request, arrived: [], log: undefined, dialect })
      const isCreation = request.request.method === 'POST'
      return judgement.is === 'pass' && isCreation ? leftNothing(list, request, twin) : judgement
    }),
  )
}

function whenBlocked({ twin, offers, doubtful: more }: BlockedExchanges): Judgement {
  return given(createdWebhook(twin), () =>
    observed(
      [
        offers.some(wasAccepted) ? 'not at creation alone' : 'at creation',
        ...more.map((one) => `${hostOf(one)} ${resultOf(one)}`),
      ].join('; '),
    ),
  )
}
