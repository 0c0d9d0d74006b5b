/**
 * Endpoints at addresses that nothing may be delivered to. They are only offered: a service that takes them and blocks
 * them when it delivers is not put to the test with addresses that may be those of others.
 */
import type { ClauseId } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import { scenario, type AnyScenario, type Context } from '../../scenario/scenario.ts'
import { blocked, hostOf } from '../assertions/canary.ts'
import { all, every, given, observed } from '../../scenario/expect.ts'
import { fate, taken, wasTaken } from '../assertions/management/managed.ts'
import { created, isListed, leftNothing } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listOf } from '../webhook-requests.ts'
import { doubtful, foreign, type Kind } from './hosts.ts'
import { elsewhere, mustBeCreated, webhookBody } from '../webhook-body.ts'

type Told = Readonly<
  Record<'twin' | 'moved' | 'last' | 'list', Exchange> & Record<'offers' | 'doubtful', readonly Exchange[]>
>

/** A creation and an update with each of these hosts, over HTTPS, so that nothing but the host is amiss. */
function offering(kind: Kind, clause: ClauseId, title: string): AnyScenario {
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
      // What was refused was not refused because nothing is changed, or because the agent may have no more webhooks.
      await t.manage('moved', { method: 'PATCH', path, body: { endpoint_url: elsewhere(t) } })
      const last = await t.manage('last', { body: webhookBody(t) })
      await t.manage('list', listOf(twin, last))
    },
    judge: { [clause]: refusedAll },
    observe: { 'GAP-BLOCKED-WHEN': whenBlocked },
  })
}

export const privateRanges = offering(
  'private',
  'TGT-PRIVATE',
  'an endpoint in a private range is refused, at creation and as an update',
)
export const internalRanges = offering(
  'internal',
  'TGT-INTERNAL',
  'an endpoint at a link-local or unique local address is refused, at creation and as an update',
)
export const spellings = offering(
  'spelled',
  'TGT-SPELLING',
  'an endpoint at a blocked address is refused however it is spelt',
)

/** Refused at creation and as an update, and not there; the same at a public address was taken, also afterwards. */
function refusedAll({ twin, list, offers, moved, last }: Told, { dialect }: Context): Judgement {
  return given(all(isListed(list, twin), created(last), taken(moved)), () =>
    every(offers, (request) => {
      const judgement = blocked({ request, arrived: [], log: undefined, dialect })
      const isCreation = request.request.method === 'POST'
      return judgement.is === 'pass' && isCreation ? leftNothing(list, request, twin) : judgement
    }),
  )
}

function whenBlocked({ twin, offers, doubtful: more }: Told): Judgement {
  return given(created(twin), () =>
    observed(
      [
        offers.some(wasTaken) ? 'not at creation alone' : 'at creation',
        ...more.map((one) => `${hostOf(one)} ${fate(one)}`),
      ].join('; '),
    ),
  )
}
