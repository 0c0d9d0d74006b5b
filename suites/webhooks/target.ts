/** Which endpoints a webhook may have: HTTPS, and a URL at all. */
import { scenario } from '../engine/scenario.ts'
import { all, every, given, notApplicable, observed } from '../judge/expect.ts'
import { fate, taken, turnedAway } from '../judge/managed.ts'
import { asked } from '../judge/turn.ts'
import { created, isListed, leftNothing, listedAs } from '../judge/webhook-record.ts'
import type { Exchange } from '../wire/exchange.ts'
import { elsewhere, mustBeCreated, webhookBody } from './wish.ts'

export const plainHttp = scenario({
  title: 'a webhook with an endpoint that is not HTTPS is refused',
  exchanges: ['secure', 'plain[]', 'list'],
  needs: { session: true },
  cost: { requests: 11, turns: 0 },
  profile: 'smoke',
  async play(t) {
    await t.manage('secure', { body: webhookBody(t) })
    for (const scheme of ['http', 'HTTP', 'ftp', 'ws'])
      await t.manageMore('plain', { body: webhookBody(t, { endpoint_url: elsewhere(t, scheme) }) })
    await t.manage('list')
  },
  judge: {
    'TGT-HTTP': ({ secure, plain, list }) => refusedEndpoints(secure, plain, list),
  },
  observe: {
    'GAP-WEBHOOK-REFUSAL': ({ secure, plain }) =>
      given(created(secure), () => observed([...new Set(plain.map(fate))].join('; '))),
  },
})

export const plainHttpUpdate = scenario({
  title: 'an endpoint is not changed to one that is not HTTPS',
  exchanges: ['creation', 'plain', 'list', 'secure'],
  needs: { session: true },
  cost: { requests: 5, turns: 0 },
  async play(t) {
    const { id } = mustBeCreated(t, await t.manage('creation', { body: webhookBody(t) }))
    const change = (scheme: string) =>
      ({
        method: 'PATCH',
        path: `/${encodeURIComponent(id)}`,
        body: { endpoint_url: elsewhere(t, scheme) },
      }) as const
    await t.manage('plain', change('http'))
    await t.manage('list')
    await t.manage('secure', change('https'))
  },
  judge: {
    'TGT-HTTP-UPDATE': ({ creation, plain, list, secure }) =>
      given(created(creation), () =>
        given(taken(secure), () =>
          all(turnedAway(plain, urlOf(plain)), listedAs(list, creation, ['endpoint_url'])),
        ),
      ),
  },
})

export const notUrl = scenario({
  title: 'an endpoint that is not a URL is refused',
  exchanges: ['secure', 'broken[]', 'list'],
  needs: { session: true },
  cost: { requests: 11, turns: 0 },
  async play(t) {
    await t.manage('secure', { body: webhookBody(t) })
    for (const endpoint_url of ['not a url', '/hooks/relative', 'https://', 'https://exa mple.com/hooks'])
      await t.manageMore('broken', { body: webhookBody(t, { endpoint_url }) })
    await t.manage('list')
  },
  judge: {
    'TGT-NOT-URL': ({ secure, broken, list }) => refusedEndpoints(secure, broken, list),
  },
})

export const localhost = scenario({
  title: 'in development an endpoint at localhost needs no HTTPS',
  exchanges: ['secure', 'local', 'list'],
  needs: { session: true },
  cost: { requests: 5, turns: 0 },
  async play(t) {
    t.note('development', t.development)
    await t.manage('secure', { body: webhookBody(t) })
    // Nothing is sent there: a port that nobody listens on will do.
    await t.manage('local', { body: webhookBody(t, { endpoint_url: 'http://localhost:9/touchstone' }) })
    await t.manage('list')
  },
  judge: {
    'TGT-LOCALHOST': ({ secure, local, list }, { notes }) =>
      given(created(secure), () =>
        notes['development'] === true
          ? all(taken(local), isListed(list, local))
          : notApplicable('the target does not count as one in development'),
      ),
  },
  observe: {
    'GAP-DEVELOPMENT': ({ secure, local }) =>
      given(created(secure), () => observed(`a webhook at http://localhost is ${fate(local)}`)),
  },
})

/** Each is refused and not there; one that differs from it in nothing but the endpoint was taken and is there. */
function refusedEndpoints(twin: Exchange, refused: readonly Exchange[], list: Exchange) {
  return given(created(twin), () =>
    every(refused, (one) => all(turnedAway(one, urlOf(one)), leftNothing(list, one, twin))),
  )
}

function urlOf(exchange: Exchange): string {
  const url = String(asked(exchange)?.['endpoint_url'])
  return `the endpoint ${url.replace(/touchstone\/.*/, 'touchstone')}`
}
