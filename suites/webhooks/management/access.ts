/** Only a signed-in user manages webhooks. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Driver } from '../../scenario/driver.ts'
import { scenario } from '../../scenario/scenario.ts'
import { all, given, observed } from '../../scenario/expect.ts'
import { fate, keptOut, taken } from '../assertions/management/managed.ts'
import { created, leftNothing, listedAs } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listOf } from '../webhook-requests.ts'
import { mustBeCreated, webhookBody } from '../webhook-body.ts'

const knocks = ['create', 'list', 'update', 'remove', 'test', 'log'] as const
const twins = ['creation', 'after', 'updated', 'read', 'removed'] as const
const ended = ['endedCreate', 'endedRemove'] as const
type Names = (typeof knocks)[number] | (typeof ended)[number] | (typeof twins)[number]
type Told = Readonly<Record<Names, Exchange>>

const exchanges = [...knocks, ...ended, ...twins]
const cost = { requests: 15, turns: 0 }

/**
 * Every route without the session, two with one that has ended, and then, all else the same, with the session; only the
 * test is not sent a second time.
 */
async function knock(t: Driver<Names>, as: 'self' | null): Promise<void> {
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
  await t.manage('after', listOf(creation))
  await t.manage('updated', { method: 'PATCH', path, body: renamed })
  await t.manage('read', { path: `${path}/logs` })
  await t.manage('removed', { method: 'DELETE', path })
}

export const noSession = scenario({
  title: 'nobody manages webhooks without a session',
  exchanges,
  needs: { session: true },
  cost,
  profile: 'smoke',
  run: (t) => knock(t, null),
  judge: {
    'HOOK-NO-SESSION': (told) =>
      all(
        creating(told, 'a creation without a session'),
        editing(told, 'without a session'),
        reading(told, 'without a session'),
      ),
  },
})

export const projectKey = scenario({
  title: 'an API key in place of the session manages no webhooks',
  exchanges,
  needs: { session: true },
  cost,
  profile: 'smoke',
  run: (t) => knock(t, 'self'),
  judge: {
    'HOOK-KEY-CREATE': (told) => creating(told, 'a creation with an API key'),
    'HOOK-KEY-EDIT': (told) => editing(told, 'with an API key'),
    'HOOK-KEY-READ': (told) => reading(told, 'with an API key'),
  },
  observe: {
    'GAP-SESSION-REFUSAL': (told) =>
      given(created(told.creation), () =>
        observed([...new Set(knocks.map((name) => fate(told[name])))].join('; ')),
      ),
  },
})

/** Refused, also beside a session that has ended, and nothing of that name is there; with the session it was taken. */
function creating({ creation, create, endedCreate, after }: Told, what: string): Judgement {
  return given(created(creation), () =>
    all(
      keptOut(create, what),
      leftNothing(after, create, creation),
      keptOut(endedCreate, `${what} and with a session that has ended`),
      leftNothing(after, endedCreate, creation),
    ),
  )
}

/** Refused, and the webhook is there as it was; the same with the session was taken. */
function editing(told: Told, how: string): Judgement {
  const { creation, update, remove, endedRemove, after, updated, removed } = told
  return given(created(creation), () =>
    all(
      beside(updated, keptOut(update, `a change ${how}`)),
      beside(removed, keptOut(remove, `a removal ${how}`)),
      beside(removed, keptOut(endedRemove, `a removal ${how} and with a session that has ended`)),
      listedAs(after, creation, ['name']),
    ),
  )
}

function reading({ creation, list, test, log, after, read }: Told, how: string): Judgement {
  return given(created(creation), () =>
    all(
      beside(after, keptOut(list, `a list ${how}`)),
      keptOut(test, `a test ${how}`),
      beside(read, keptOut(log, `a look at the log ${how}`)),
    ),
  )
}

/** A refusal counts only beside its twin that was taken; what was let in counts in any case. */
function beside(twin: Exchange, judgement: Judgement): Judgement {
  return judgement.is === 'pass' ? given(taken(twin), () => judgement) : judgement
}
