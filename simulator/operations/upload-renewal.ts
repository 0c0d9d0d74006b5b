/** What becomes of an upload that was prepared too long ago. */
import { isObject } from '../json.ts'
import type { ApiKey } from '../world/principals.ts'
import type { World } from '../world/world.ts'
import { approvalState, hold, receiptOfApproval, resume } from './approvals.ts'
import { completed, type Job, type Operation } from './operation.ts'
import type { Receipt } from './receipt.ts'
import type { Upload } from './upload-book.ts'

export function isLapsed({ clock, rules }: World, { preparedAt, stored }: Upload): boolean {
  return !stored && clock.now() - preparedAt >= rules.preparedLifeMs
}

/** As new; `agreed`: by the owner, who is not asked once more for the same upload. */
function refresh({ clock }: World, upload: Upload, agreed: boolean): void {
  upload.preparedAt = clock.now()
  upload.renewal = null
  upload.renewed = agreed
}

/** The work that the owner agrees to. It needs no bytes, so that it is done as soon as other approved work. */
function renewal(operation: Operation, upload: Upload): Operation {
  return {
    ...operation,
    resent: false,
    perform: (world) => {
      refresh(world, upload, true)
      return completed({ uploadId: upload.id, renewed: true })
    },
  }
}

/** Null: it is as new. Else what it answers until it is. */
export function renewed(
  world: World,
  operation: Operation,
  upload: Upload,
  job: Job,
  connection: number,
): Receipt | null {
  const { rules, operations } = world
  if (!rules.renewalWaits(operation)) {
    refresh(world, upload, false)
    return null
  }
  upload.renewal ??= hold(world, renewal(operation, upload), job, connection).id
  const approval = operations.approvals.get(upload.renewal)
  const state = approval ? approvalState(world, approval) : 'pending'
  if (!approval || state === 'pending') return rules.renewalReceipt(upload.renewal)
  if (state !== 'approved') return receiptOfApproval(world, approval)
  resume(world, approval)
  return isLapsed(world, upload) ? rules.renewalReceipt(approval.id) : null
}

/** The upload that was prepared with this key has lapsed from now on. Throws where there is none. */
export function lapseUpload({ rules, operations }: World, apiKey: ApiKey, key: string): void {
  const receipt = operations.runs.get(rules.runId(apiKey, key))?.receipt
  const data = receipt?.status === 'completed' && isObject(receipt.data) ? receipt.data : {}
  const id = data['uploadId']
  const upload = typeof id === 'string' ? operations.dataOf(apiKey.account).uploads.get(id) : undefined
  if (!upload)
    throw new RangeError(`No upload was prepared with the key ${JSON.stringify(key)}; prepare it first.`)
  upload.preparedAt = -Infinity
}
