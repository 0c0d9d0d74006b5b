/**
 * An idempotency key of a write meets its record. What is known of the key decides: nothing runs the write,
 * anything else answers without it.
 */
import type { JsonObject } from '../../json.ts'
import { brief } from '../../tenant/fingerprint.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { resume } from '../approvals.ts'
import type { Operation } from '../operation.ts'
import type { RunReceipt } from '../receipt.ts'
import { refuseOperation, type OperationRefusal } from '../refusal.ts'
import type { OperationRun } from '../store.ts'

export interface Keyed {
  readonly id: string
  /** Distinguishes inputs. */
  readonly fingerprint: string
}

/** `id`: what `rules.runId` makes of the key. */
export function keyedBy({ rules }: TenantState, id: string, operation: Operation, input: JsonObject): Keyed {
  return { id, fingerprint: brief(rules.runFingerprint(operation, input)) }
}

/** The receipt of the first request with this key, which alone performs. */
export async function once(
  state: TenantState,
  { id, fingerprint }: Keyed,
  perform: () => RunReceipt,
): Promise<RunReceipt | OperationRefusal> {
  const { rules, operations, clock } = state
  const met = meet(state, operations.runs.get(id), fingerprint)
  if (met) return met
  if (rules.runGapMs > 0) await clock.sleep(rules.runGapMs, { label: 'claim gap' })
  // Without that gap no `await` stands between looking a key up and claiming it: nobody else can be first.
  const record: OperationRun = { fingerprint, receipt: null }
  operations.runs.set(id, record)
  try {
    if (rules.runMs > 0) await clock.sleep(rules.runMs, { label: 'operation' })
    const receipt = perform()
    record.receipt = receipt
    operations.runs.touch(id)
    return receipt
  } catch (defect) {
    operations.runs.delete(id)
    throw defect
  }
}

/** Null: the key is free, or runs once more. */
function meet(
  state: TenantState,
  record: OperationRun | undefined,
  fingerprint: string,
): RunReceipt | OperationRefusal | null {
  if (!record) return null
  const { rules, operations } = state
  const { receipt } = record
  if (record.fingerprint !== null && record.fingerprint !== fingerprint && rules.usedKey === 'refuse')
    return refuseOperation(
      'IDEMPOTENCY_CONFLICT',
      'The idempotency key was used for another input; take a new one.',
    )
  if (!receipt)
    return refuseOperation(
      'REQUEST_IN_PROGRESS',
      'The first request with this key still runs; wait and send it again.',
    )
  if (rules.runsAgain(receipt)) return null
  const approval =
    receipt.status === 'pending_approval' ? operations.approvals.get(receipt.approvalId) : undefined
  return approval ? resume(state, approval) : receipt
}
