/** Only a signed-in user manages webhooks. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { all, given, observed } from '../../scenario/expect.ts'
import {
  resultOf,
  refusedCredentials,
  requestAccepted,
  createdWebhook,
  leftNothing,
  listedAs,
} from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listWithAll, mustBeCreated, webhookBody } from '../webhook-requests.ts'

const routes = ['create', 'list', 'update', 'test', 'log', 'remove', 'endedCreate', 'endedRemove'] as const
const twins = ['creation', 'after', 'updated', 'read', 'removed'] as const
type Twins = Readonly<Record<(typeof twins)[number], Exchange>>
/** What was sent to each route, in this order, with one kind of credentials. */
type Refused = Readonly<Record<(typeof routes)[number], Exchange>>

/** Sends every route with these credentials, and two beside an expired session. */
async function sendRoutes(
  t: Driver<'key[]' | 'none[]'>,
  name: 'key' | 'none',
  as: 'self' | null,
  id: string,
): Promise<void> {
  const path = `/${encodeURIComponent(id)}`
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

const byRoute = (sent: readonly Exchange[]): Refused =>
  Object.fromEntries(routes.map((route, at) => [route, sent[at]])) as unknown as Refused

type Responses = Twins & Refused

const withTwins = (scenario: Twins, sent: readonly Exchange[]): Responses => {
  const { creation, after, updated, read, removed } = scenario
  return { creation, after, updated, read, removed, ...byRoute(sent) }
}

export const projectKey = scenario({
  title: 'webhooks can be managed neither without a session nor with an API key instead of it',
  exchanges: ['key[]', 'none[]', ...twins],
  needs: { session: true },
  cost: { requests: 24, turns: 0 },
  profile: 'smoke',
  async run(t) {
    const creation = await t.manage('creation', { body: webhookBody(t) })
    const { id } = mustBeCreated(t, creation)
    const path = `/${encodeURIComponent(id)}`
    await sendRoutes(t, 'key', 'self', id)
    await sendRoutes(t, 'none', null, id)
    await t.manage('after', listWithAll(creation))
    await t.manage('updated', { method: 'PATCH', path, body: { name: t.text(24) } })
    await t.manage('read', { path: `${path}/logs` })
    await t.manage('removed', { method: 'DELETE', path })
  },
  judge: {
    'HOOK-KEY-CREATE': (seen) => creating(withTwins(seen, seen.key), 'a creation with an API key'),
    'HOOK-KEY-EDIT': (seen) => editing(withTwins(seen, seen.key), 'with an API key'),
    'HOOK-KEY-READ': (seen) => reading(withTwins(seen, seen.key), 'with an API key'),
    'HOOK-NO-SESSION': (seen) => {
      const responses = withTwins(seen, seen.none)
      return all(
        creating(responses, 'a creation without a session'),
        editing(responses, 'without a session'),
        reading(responses, 'without a session'),
      )
    },
  },
  observe: {
    'GAP-SESSION-REFUSAL': ({ creation, key }) =>
      given(createdWebhook(creation), () => observed([...new Set(key.slice(0, 6).map(resultOf))].join('; '))),
  },
})

/**
 * Refused, with an expired session too, and no webhook with that name exists; the same with the session was accepted.
 */
function creating({ creation, create, endedCreate, after }: Responses, what: string): Judgement {
  return given(createdWebhook(creation), () =>
    all(
      refusedCredentials(create, what),
      leftNothing(after, create, creation),
      refusedCredentials(endedCreate, `${what} and with a session that has ended`),
      leftNothing(after, endedCreate, creation),
    ),
  )
}

/** Refused, and the webhook is unchanged; the same with the session was accepted. */
function editing(responses: Responses, how: string): Judgement {
  const { creation, update, remove, endedRemove, after, updated, removed } = responses
  return given(createdWebhook(creation), () =>
    all(
      beside(updated, refusedCredentials(update, `a change ${how}`)),
      beside(removed, refusedCredentials(remove, `a removal ${how}`)),
      beside(removed, refusedCredentials(endedRemove, `a removal ${how} and with a session that has ended`)),
      listedAs(after, creation, ['name']),
    ),
  )
}

function reading({ creation, list, test, log, after, read }: Responses, how: string): Judgement {
  return given(createdWebhook(creation), () =>
    all(
      beside(after, refusedCredentials(list, `a list ${how}`)),
      refusedCredentials(test, `a test ${how}`),
      beside(read, refusedCredentials(log, `a look at the log ${how}`)),
    ),
  )
}

/** A refusal counts only if the same request was accepted otherwise; an accepted one counts in any case. */
function beside(twin: Exchange, judgement: Judgement): Judgement {
  return judgement.is === 'pass' ? given(requestAccepted(twin), () => judgement) : judgement
}
