/** Routes for idempotency keys of chat turns, and for the turns that are in flight. */
import type { Call } from '../../server/call.ts'
import type { JsonObject } from '../../json.ts'
import { shownCredits } from '../../tenant/credits.ts'
import { isRunning, type KeyRecord } from '../../tenant/keys.ts'
import { withoutWholeKeys } from '../../tenant/redacted.ts'
import type { Tenant } from '../../tenant.ts'
import { ok, type ControlResponse } from '../answer.ts'
import { isoTime } from '../journal/entry-state.ts'
import { queryOf } from '../request.ts'
import { latest } from './latest.ts'

/** The key as it was sent, and within what it is unique: of an API key, not the token. */
function identityOf({ id }: KeyRecord): { scope: string; key: string } {
  const at = id.indexOf('\n')
  return { scope: withoutWholeKeys(id.slice(0, at)), key: withoutWholeKeys(id.slice(at + 1)) }
}

const shownStates = {
  running: 'in-flight',
  completed: 'completed',
  uncertain: 'uncertain',
  refused: 'refused',
} as const

/** Null where it does not expire. */
function expiryOf({ state: { rules } }: Tenant, record: KeyRecord): string | null {
  const end = record.claimedAt + (isRunning(record) ? rules.leaseMs : rules.keyLifeMs)
  return end <= maxTime ? isoTime(end) : null
}

/** The last moment that a date has. */
const maxTime = 8.64e15

function keyState(tenant: Tenant, record: KeyRecord): JsonObject {
  const { state, agent, account, claimedAt, streamed, duplicates, replays } = record
  return {
    ...identityOf(record),
    agentId: agent,
    account,
    state: shownStates[state.is],
    since: isoTime(claimedAt),
    expires: expiryOf(tenant, record),
    streamed,
    duplicates,
    replays,
    ...(state.is === 'completed' && {
      conversationId: state.reply.conversation,
      creditsUsed: shownCredits(state.reply.used),
    }),
  }
}

export function listKeys(tenant: Tenant, call: Call): ControlResponse {
  const { shown, left } = latest([...tenant.state.keys.values()], queryOf(call))
  return ok({ keys: shown.map((record) => keyState(tenant, record)), left })
}

export const listTurns = (tenant: Tenant): ControlResponse =>
  ok({ turns: tenant.state.keys.running.map((record) => turnState(tenant, record)) })

function turnState({ barriers }: Tenant, record: KeyRecord): JsonObject {
  const { agent, account, claimedAt, streamed } = record
  const { scope, key } = identityOf(record)
  const barrier = barriers
    .list()
    .find(({ held }) => held.some((turn) => turn.key === key && turn.agent === agent))
  return {
    scope,
    key,
    agentId: agent,
    account,
    since: isoTime(claimedAt),
    streamed,
    ...(barrier && { barrierId: barrier.id }),
  }
}
