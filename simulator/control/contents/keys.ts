/** Routes for idempotency keys of chat turns, and for the turns that are in flight. */
import type { Call } from '../../server/call.ts'
import type { JsonObject } from '../../json.ts'
import { shownCredits } from '../../tenant/credits.ts'
import type { JournalEntry } from '../../tenant/journal/entry.ts'
import { responseText } from '../../tenant/journal/text.ts'
import { isRunning, type KeyRecord } from '../../tenant/keys.ts'
import { withoutWholeKeys } from '../../tenant/redacted.ts'
import type { Tenant } from '../../tenant.ts'
import { ok, type ControlResponse } from '../answer.ts'
import { isoTime } from '../journal/entry-state.ts'
import { requestFacts } from '../journal/facts.ts'
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

export function listTurns(tenant: Tenant): ControlResponse {
  const open = openEntries(tenant)
  return ok({ turns: tenant.state.keys.running.map((record) => turnState(tenant, record, open)) })
}

type OpenEntries = ReadonlyMap<string, JournalEntry>

const turnName = (agent: string, key: string): string => `${agent}\n${key}`

/** Requests without an end, by agent and key; the first of each, because those after it are refused. */
function openEntries({ journal }: Tenant): OpenEntries {
  const open = new Map<string, JournalEntry>()
  for (const entry of journal.entries(({ closedBy }) => closedBy === null)) {
    const { agentId = '', idempotencyKey = '' } = requestFacts(entry)
    const name = turnName(agentId, idempotencyKey)
    if (!open.has(name)) open.set(name, entry)
  }
  return open
}

/** How far a stream has come: read from the journal, so that a turn counts nothing for it. */
const tokensIn = (entry: JournalEntry): number =>
  responseText(entry).match(/^data:.*"type":\s*"token"/gm)?.length ?? 0

function turnState({ barriers }: Tenant, record: KeyRecord, open: OpenEntries): JsonObject {
  const { agent, account, claimedAt, streamed } = record
  const { scope, key } = identityOf(record)
  const entry = open.get(turnName(agent, key))
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
    ...(entry && { entry: entry.id, ...(streamed && { tokens: tokensIn(entry) }) }),
    ...(barrier && { barrierId: barrier.id }),
  }
}
