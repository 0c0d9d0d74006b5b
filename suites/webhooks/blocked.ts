/** Endpoints at addresses that nothing may be delivered to. */
import type { Judgement } from '../engine/judgement.ts'
import { scenario } from '../engine/scenario.ts'
import { blocked, hostOf } from '../judge/canary.ts'
import { every, given, observed } from '../judge/expect.ts'
import { fate, wasTaken } from '../judge/managed.ts'
import { created, isListed, leftNothing } from '../judge/webhook-record.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Dialect } from '../target/dialect.ts'
import { doubtful, foreign } from './hosts.ts'
import { mustBeCreated, webhookBody } from './wish.ts'

/** Only offered: a service that takes them and blocks them later is not put to the test with addresses of others. */
export const offered = scenario({
  title: 'an endpoint at a private or internal address is refused, however it is spelt',
  exchanges: ['twin', 'private[]', 'internal[]', 'spelled[]', 'doubtful[]', 'list'],
  needs: { session: true },
  cost: { requests: 3 + 3 * foreign.length + 2 * doubtful.length, turns: 0 },
  async play(t) {
    const { id } = mustBeCreated(t, await t.manage('twin', { body: webhookBody(t) }))
    for (const { kind, host } of foreign) {
      const endpoint_url = `https://${host}/touchstone/${t.uuid()}`
      await t.manageMore(kind, { body: webhookBody(t, { endpoint_url }) })
      const path = `/${encodeURIComponent(id)}`
      await t.manageMore(kind, { method: 'PATCH', path, body: { endpoint_url } })
    }
    for (const host of doubtful)
      await t.manageMore('doubtful', { body: webhookBody(t, { endpoint_url: `https://${host}/touchstone` }) })
    await t.manage('list')
  },
  judge: {
    'TGT-PRIVATE': (told, { dialect }) => refusedAll(told, told.private, dialect),
    'TGT-INTERNAL': (told, { dialect }) => refusedAll(told, told.internal, dialect),
    'TGT-SPELLING': (told, { dialect }) => refusedAll(told, told.spelled, dialect),
  },
  observe: {
    'GAP-BLOCKED-WHEN': ({ twin, private: offers, doubtful: more }) =>
      given(created(twin), () =>
        observed(
          [
            offers.some(wasTaken) ? 'not at creation alone' : 'at creation',
            ...more.map((one) => `${hostOf(one)} ${fate(one)}`),
          ].join('; '),
        ),
      ),
  },
})

type Told = Readonly<Record<'twin' | 'list', Exchange>>

/** Refused at creation and as an update, and not there; the same at a public address was taken. */
function refusedAll({ twin, list }: Told, offers: readonly Exchange[], dialect: Dialect): Judgement {
  return given(isListed(list, twin), () =>
    every(offers, (request) => {
      const judgement = blocked({ request, arrived: [], log: undefined, dialect })
      const isCreation = request.request.method === 'POST'
      return judgement.is === 'pass' && isCreation ? leftNothing(list, request, twin) : judgement
    }),
  )
}
