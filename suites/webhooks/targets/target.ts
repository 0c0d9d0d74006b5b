/** Which endpoints a webhook may have: HTTPS, and a URL at all. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Driver } from '../../scenario/driver.ts'
import { scenario } from '../../scenario/scenario.ts'
import { all, every, given, notApplicable, observed } from '../../scenario/expect.ts'
import { fate, taken, turnedAway, wasTaken } from '../assertions/management/managed.ts'
import { asked } from '../../assertions/turn.ts'
import { created, entryOf, isListed, leftNothing, listedAs } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listOf } from '../webhook-requests.ts'
import { elsewhere, mustBeCreated, webhookBody } from '../webhook-body.ts'

export const plainHttp = scenario({
  title: 'a webhook with an endpoint that is not HTTPS is refused',
  exchanges: ['secure', 'plain[]', 'list'],
  needs: { session: true },
  cost: { requests: 15, turns: 0 },
  profile: 'smoke',
  async run(t) {
    for (const scheme of ['http', 'HTTP', 'ftp', 'ws'])
      await t.manageMore('plain', { body: webhookBody(t, { endpoint_url: elsewhere(t, scheme) }) })
    // Not the localhost that development excuses, nor an address of this machine.
    for (const beginning of ['localhost.', '127.0.0.1.']) {
      const endpoint_url = elsewhere(t, 'http').replace('//', `//${beginning}`)
      await t.manageMore('plain', { body: webhookBody(t, { endpoint_url }) })
    }
    await listWithTwin(t)
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
  async run(t) {
    const creation = await t.manage('creation', { body: webhookBody(t) })
    const { id } = mustBeCreated(t, creation)
    const change = (scheme: string) =>
      ({
        method: 'PATCH',
        path: `/${encodeURIComponent(id)}`,
        body: { endpoint_url: elsewhere(t, scheme) },
      }) as const
    await t.manage('plain', change('http'))
    await t.manage('list', listOf(creation))
    await t.manage('secure', change('https'))
  },
  judge: {
    'TGT-HTTP-UPDATE': ({ creation, plain, list, secure }) =>
      given(created(creation), () =>
        given(taken(secure), () =>
          wasTaken(plain) && isSecure(entryOf(list, creation)?.['endpoint_url'])
            ? stillSecure
            : all(turnedAway(plain, urlOf(plain)), listedAs(list, creation, ['endpoint_url'])),
        ),
      ),
  },
})

export const notUrl = scenario({
  title: 'an endpoint that is not a URL is refused',
  exchanges: ['secure', 'broken[]', 'list'],
  needs: { session: true },
  cost: { requests: 11, turns: 0 },
  async run(t) {
    for (const endpoint_url of ['not a url', '/hooks/relative', 'https://', 'https://exa mple.com/hooks'])
      await t.manageMore('broken', { body: webhookBody(t, { endpoint_url }) })
    await listWithTwin(t)
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
  async run(t) {
    t.note('development', t.development)
    await t.manage('secure', { body: webhookBody(t) })
    // Nothing is sent there: a port that nobody listens on will do.
    const endpoint_url = 'http://localhost:9/touchstone'
    const local = await t.manage('local', { body: webhookBody(t, { endpoint_url }) })
    await t.manage('list', listOf(local))
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

/**
 * A webhook as any other, and the list with it. It is created after those that are to be refused, so that none of them
 * was refused because the agent may have no more webhooks.
 */
async function listWithTwin(t: Driver<'secure' | 'list'>): Promise<void> {
  await t.manage('list', listOf(await t.manage('secure', { body: webhookBody(t) })))
}

/** Each is refused and not there; one that differs from it in nothing but the endpoint was taken and is there. */
function refusedEndpoints(twin: Exchange, refused: readonly Exchange[], list: Exchange): Judgement {
  // What was let in took the place that the other one may then have found taken.
  const letIn = refused.filter((one) => created(one).is === 'pass')
  if (letIn.length > 0) return every(letIn, (one) => letInAs(one, list))
  return given(created(twin), () =>
    every(refused, (one) => all(turnedAway(one, urlOf(one)), leftNothing(list, one, twin))),
  )
}

/** Taken after all: a service may change the scheme to HTTPS, and an address that begins with it is HTTPS, if of no use. */
function letInAs(creation: Exchange, list: Exchange): Judgement {
  const letIn = turnedAway(creation, urlOf(creation))
  const listed = entryOf(list, creation)?.['endpoint_url']
  const sent = asked(creation)?.['endpoint_url']
  if (letIn.is !== 'broken' || !isSecure(listed) || !isSamePlace(sent, listed)) return letIn
  return isSecure(sent) ? { ...letIn, is: 'weak' } : stillSecure
}

/** What is listed is what was sent, whatever its scheme. */
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
