/** What becomes of an upload that was prepared too long ago. */
import { type PreparedUpload } from '../account-data.ts'
import { isObject } from '../../json.ts'
import type { ApiKey } from '../../tenant/principals.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { approvalState, hold, receiptOfApproval, resume } from '../approvals.ts'
import type { Job, Operation } from '../operation.ts'
import type { RunReceipt } from '../receipt.ts'
import { renewalOf } from './renewed-operation.ts'
import { refresh } from './upload.ts'

export function isLapsed({ clock, rules }: TenantState, { preparedAt, stored }: PreparedUpload): boolean {
  return !stored && clock.now() - preparedAt >= rules.preparedLifeMs
}

/** Null: it is as new. Else what it answers until it is. */
export function renewed(
  tenantState: TenantState,
  operation: Operation,
  upload: PreparedUpload,
  job: Job,
  connection: number,
): RunReceipt | null {
  const { rules, operations } = tenantState
  if (!rules.renewalWaits(operation)) {
    refresh(tenantState, job, upload, false)
    return null
  }
  // One that was let go for newer ones is asked for once more.
  const known = upload.renewal === null ? undefined : operations.approvals.get(upload.renewal)
  const approval = known ?? hold(tenantState, renewalOf(operation), job, connection)
  upload.renewal = approval.id
  job.data.uploads.touch(upload.id)
  const state = approvalState(tenantState, approval)
  if (state === 'pending') return rules.renewalReceipt(approval.id)
  if (state !== 'approved') return receiptOfApproval(tenantState, approval)
  resume(tenantState, approval)
  return isLapsed(tenantState, upload) ? rules.renewalReceipt(approval.id) : null
}

/** Before any date that a clock can show, and one that can be written. */
const longAgo = Date.parse('0000-01-01T00:00:00Z')

/** The upload that was prepared with this key has lapsed from now on. Throws where there is none. */
export function lapseUpload({ rules, operations }: TenantState, apiKey: ApiKey, key: string): void {
  const receipt = operations.runs.get(rules.runId(apiKey, key))?.receipt
  const data = receipt?.status === 'completed' && isObject(receipt.data) ? receipt.data : {}
  const id = data['uploadId']
  const { uploads } = operations.dataOf(apiKey.account)
  const upload = typeof id === 'string' ? uploads.get(id) : undefined
  if (!upload)
    throw new RangeError(`No upload was prepared with the key ${JSON.stringify(key)}; prepare it first.`)
  upload.preparedAt = longAgo
  uploads.touch(upload.id)
}
