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

const routes = ['create', 'list', 'update', 'remove', 'test', 'log'] as const
const twins = ['creation', 'after', 'updated', 'read', 'removed'] as const
const ended = ['endedCreate', 'endedRemove'] as const
type Names = (typeof routes)[number] | (typeof ended)[number] | (typeof twins)[number]
type Responses = Readonly<Record<Names, Exchange>>

const exchanges = [...routes, ...ended, ...twins]
const cost = { requests: 15, turns: 0 }

/**
 * Sends every route without the session, two with an expired one, and then the same with the session, except the
 * test.
 */
async function sendRoutes(t: Driver<Names>, as: 'self' | null): Promise<void> {
  const creation = await t.manage('creation', { body: webhookBody(t) })
  const { id } = mustBeCreated(t, creation)
  const path = `/${encodeURIComponent(id)}`
  const renamed = { name: t.text(24) }
  await t.manage('create', { body: webhookBody(t), as })
  await t.manage('list', { as })
  await t.manage('update', { method: 'PATCH', path, body: renamed, as })
  await t.manage('test', { method: 'POST', path: `${path}/test`, as })
  await t.manage('log', { path: `${path}/logs`, as })
  await t.manage('remove', { method: 'DELETE', path, as })
  const headers = t.endedSession()
  await t.manage('endedCreate', { body: webhookBody(t), as, headers })
  await t.manage('endedRemove', { method: 'DELETE', path, as, headers })
  await t.manage('after', listWithAll(creation))
  await t.manage('updated', { method: 'PATCH', path, body: renamed })
  await t.manage('read', { path: `${path}/logs` })
  await t.manage('removed', { method: 'DELETE', path })
}

export const noSession = scenario({
  title: 'webhooks cannot be managed without a session',
  exchanges,
  needs: { session: true },
  cost,
  profile: 'smoke',
  run: (t) => sendRoutes(t, null),
  judge: {
    'HOOK-NO-SESSION': (responses) =>
      all(
        creating(responses, 'a creation without a session'),
        editing(responses, 'without a session'),
        reading(responses, 'without a session'),
      ),
  },
})

export const projectKey = scenario({
  title: 'webhooks cannot be managed with an API key instead of the session',
  exchanges,
  needs: { session: true },
  cost,
  profile: 'smoke',
  run: (t) => sendRoutes(t, 'self'),
  judge: {
    'HOOK-KEY-CREATE': (responses) => creating(responses, 'a creation with an API key'),
    'HOOK-KEY-EDIT': (responses) => editing(responses, 'with an API key'),
    'HOOK-KEY-READ': (responses) => reading(responses, 'with an API key'),
  },
  observe: {
    'GAP-SESSION-REFUSAL': (responses) =>
      given(createdWebhook(responses.creation), () =>
        observed([...new Set(routes.map((name) => resultOf(responses[name])))].join('; ')),
      ),
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
