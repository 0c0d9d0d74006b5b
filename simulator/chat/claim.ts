/**
 * An idempotency key meets its record. What is known of the key decides: nothing runs a turn, anything else
 * answers without one. All of it is one step without an `await`, so no two requests can both be first.
 */
import type { ChatTenant } from '../rules/chat.ts'
import {
  brief,
  inOnePiece,
  type KeyBook,
  type KeyRecord,
  type TurnRequest,
  type TurnReply,
} from '../tenant/keys.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { refuseChat, type ChatRefusal } from '../edge/refusal.ts'

export interface CompletedKey {
  readonly record: KeyRecord
  readonly reply: TurnReply
}

/** Identifies the key: within what it is unique, and the key itself. */
export function keyId({ rules }: TenantState, asked: TurnRequest): string {
  return `${rules.keyNamespace(asked)}\n${rules.normalizeKey(asked.key)}`
}

export function fingerprintOf({ rules }: ChatTenant, asked: TurnRequest): string {
  return brief(`${rules.fingerprint(asked)}\n${rules.exactText(asked)}`)
}

/** What stands in the book and still counts. */
function standing(state: TenantState, book: KeyBook, asked: TurnRequest): KeyRecord | undefined {
  const record = book.find(keyId(state, asked))
  if (!record) return undefined
  const age = state.clock.now() - record.claimedAt
  const { leaseMs, keyLifeMs } = state.rules
  return age > (record.state.is === 'running' ? leaseMs : keyLifeMs) ? undefined : record
}

/** Null: the key is free. */
export function meetKey(
  tenantState: TenantState,
  book: KeyBook,
  asked: TurnRequest,
): null | CompletedKey | ChatRefusal {
  const record = standing(tenantState, book, asked)
  if (!record) return null
  const { state } = record
  // Whatever was sent with it: an uncertain key has to be reconciled first.
  if (state.is === 'uncertain') return refuseChat('OUTCOME_UNCERTAIN')
  const identical = record.fingerprint === fingerprintOf(tenantState, asked)
  if (state.is === 'running') {
    book.count(record, 'duplicates')
    return refuseChat(identical ? 'REQUEST_IN_PROGRESS' : tenantState.rules.inFlightOther)
  }
  if (!identical) return refuseChat('IDEMPOTENCY_CONFLICT')
  return state.is === 'refused' ? state.refusal : { record, reply: state.reply }
}

export function claimKey(state: TenantState, book: KeyBook, asked: TurnRequest): KeyRecord {
  const record: KeyRecord = {
    id: inOnePiece(keyId(state, asked)),
    fingerprint: fingerprintOf(state, asked),
    agent: asked.agent.id,
    account: asked.apiKey.account,
    claimedAt: state.clock.now(),
    streamed: asked.request.stream,
    duplicates: 0,
    replays: 0,
    state: { is: 'running' },
  }
  book.claim(record)
  return record
}

/** Refusals that a server may remember with the key, under the interpretation that it does. */
const lasting: ReadonlySet<number> = new Set([402, 409, 500, 503])

export function giveBack(
  { rules }: TenantState,
  book: KeyBook,
  record: KeyRecord,
  refusal: ChatRefusal,
): void {
  if (rules.refusedKey === 'kept' && lasting.has(refusal.status))
    book.settle(record, { is: 'refused', refusal })
  else book.release(record)
}

export function giveUp(
  state: TenantState,
  book: KeyBook,
  record: KeyRecord,
  refusal: ChatRefusal | null,
): void {
  if (state.rules.failedKey === 'uncertain') book.settle(record, { is: 'uncertain' })
  else if (refusal) giveBack(state, book, record, refusal)
  else book.release(record)
}
