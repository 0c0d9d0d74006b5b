/** Valid endpoints of a webhook: an HTTPS URL. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { all, every, given, notApplicable, observed, inTurn } from '../../scenario/expect.ts'
import {
  resultOf,
  requestAccepted,
  refusedContent,
  wasAccepted,
  createdWebhook,
  entryOf,
  isListed,
  leftNothing,
  listedAs,
} from '../assertions/management/webhook-record.ts'
import { asked } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listWithAll, elsewhere, mustBeCreated, webhookBody } from '../webhook-requests.ts'

export const plainHttp = scenario({
  title:
    'a webhook with an endpoint that is no HTTPS URL is refused, at creation and as an update, but for localhost',
  exchanges: ['plain[]', 'broken[]', 'secure', 'local', 'changed', 'list', 'changedBack'],
  needs: { session: true },
  cost: { requests: 26, turns: 0 },
  profile: 'smoke',
  async run(t) {
    t.note('development', t.development)
    for (const scheme of ['http', 'HTTP', 'ftp', 'ws'])
      await t.manageMore('plain', { body: webhookBody(t, { endpoint_url: elsewhere(t, scheme) }) })
    // Neither the localhost that development excuses nor an address of this machine.
    for (const beginning of ['localhost.', '127.0.0.1.']) {
      const endpoint_url = elsewhere(t, 'http').replace('//', `//${beginning}`)
      await t.manageMore('plain', { body: webhookBody(t, { endpoint_url }) })
    }
    for (const endpoint_url of ['not a url', '/hooks/relative', 'https://', 'https://exa mple.com/hooks'])
      await t.manageMore('broken', { body: webhookBody(t, { endpoint_url }) })
    // After those to be refused, so that none was refused for a limit on the webhooks of an agent.
    const secure = await t.manage('secure', { body: webhookBody(t) })
    // Nothing is sent there: a closed port suffices.
    const endpoint_url = 'http://localhost:9/touchstone'
    const local = await t.manage('local', { body: webhookBody(t, { endpoint_url }) })
    const { id } = mustBeCreated(t, secure)
    const change = (scheme: string) =>
      ({
        method: 'PATCH',
        path: `/${encodeURIComponent(id)}`,
        body: { endpoint_url: elsewhere(t, scheme) },
      }) as const
    await t.manage('changed', change('http'))
    await t.manage('list', listWithAll(secure, ...(wasAccepted(local) ? [local] : [])))
    await t.manage('changedBack', change('https'))
  },
  judge: {
    'TGT-HTTP': ({ secure, plain, list }) => refusedEndpoints(secure, plain, list),
    'TGT-HTTP-UPDATE': ({ secure, changed, list, changedBack }) =>
      given(all(createdWebhook(secure), requestAccepted(changedBack)), () =>
        wasAccepted(changed) && isSecure(entryOf(list, secure)?.['endpoint_url'])
          ? stillSecure
          : all(refusedContent(changed, urlOf(changed)), listedAs(list, secure, ['endpoint_url'])),
      ),
    'TGT-NOT-URL': ({ secure, broken, list }) => refusedEndpoints(secure, broken, list),
    'TGT-LOCALHOST': ({ secure, local, list }, { notes }) =>
      given(createdWebhook(secure), () =>
        notes['development'] === true
          ? inTurn(requestAccepted(local), isListed(list, local))
          : notApplicable('the target does not count as one in development'),
      ),
  },
  observe: {
    'GAP-WEBHOOK-REFUSAL': ({ secure, plain }) =>
      given(createdWebhook(secure), () => observed([...new Set(plain.map(resultOf))].join('; '))),
    'GAP-DEVELOPMENT': ({ secure, local }) =>
      given(createdWebhook(secure), () => observed(`a webhook at http://localhost is ${resultOf(local)}`)),
  },
})

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
