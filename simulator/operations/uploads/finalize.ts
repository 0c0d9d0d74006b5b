/** The second step of an upload: the bytes come, and are stored, unless the owner has to decide first. */
import { type PreparedUpload } from '../account-data.ts'
import { createHash } from 'node:crypto'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { approvalState, hold } from '../approvals.ts'
import type { Keyed } from '../routes/keyed.ts'
import type { Job } from '../operation.ts'
import type { RunReceipt } from '../receipt.ts'
import { refuseOperation, type OperationRefusal } from '../refusal.ts'
import { runOperation } from '../run.ts'
import { keep, inputText } from './upload.ts'
import { fromBase64 } from './content.ts'
import { isLapsed, renewed } from './renewal.ts'
import { finalizeInput } from './rows.ts'
import { answerOnce, keyedStep, type AskedUpload, type UploadStepDefinition } from './step.ts'

interface Sent {
  readonly upload: PreparedUpload
  readonly sha256: string
}

/** The upload that was prepared, and the bytes that were announced for it. */
function sentWith({ visit, kind, input }: AskedUpload): Sent | OperationRefusal {
  const { state, apiKey } = visit
  const { rules, operations } = state
  const upload = operations.dataOf(apiKey.account).uploads.get(inputText(input, 'uploadId'))
  if (!upload || upload.kind !== kind)
    return refuseOperation(
      'NOT_FOUND',
      `There is no such upload of a ${kind}; take its id from the receipt of its prepare.`,
      { status: rules.unknownStatus },
    )
  const bytes = fromBase64(inputText(input, 'bytes'))
  if (!bytes)
    return refuseOperation('INVALID_INPUT', 'bytes is not base64; send the file in base64 with padding.')
  const problem = rules.bytesProblem(kind, upload, bytes)
  if (problem !== null) return refuseOperation('INVALID_INPUT', problem)
  return { upload, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** A key that came to an incomplete renewal is free again when the owner has decided, or can no more. */
function releaseDecided(state: TenantState, { id, fingerprint }: Keyed): void {
  const { runs, approvals } = state.operations
  const record = runs.get(id)
  if (record?.fingerprint !== fingerprint || record.receipt?.status !== 'failed') return
  const { approvalId } = record.receipt
  if (approvalId === undefined) return
  const approval = approvals.get(approvalId)
  if (!approval || approvalState(state, approval) !== 'pending') runs.delete(id)
}

function answer(asked: AskedUpload): RunReceipt | OperationRefusal | Promise<RunReceipt | OperationRefusal> {
  const { visit } = asked
  const { state, apiKey } = visit
  const sent = sentWith(asked)
  if ('refused' in sent) return sent
  const { upload, sha256 } = sent
  const { fileName, contentType, size } = upload
  const input = { uploadId: upload.id, fileName, contentType, size, sha256 }
  const job: Job = { apiKey, input, agent: null, data: state.operations.dataOf(apiKey.account) }
  const keyed = keyedStep(asked, input)
  if (keyed) releaseDecided(state, keyed)
  return answerOnce(state, keyed, () => finalize(asked, upload, job))
}

function finalize({ visit, operation }: AskedUpload, upload: PreparedUpload, job: Job): RunReceipt {
  const { state, call } = visit
  const { rules } = state
  const waiting = isLapsed(state, upload) ? renewed(state, operation, upload, job, call.connection) : null
  if (waiting) return waiting
  if (upload.renewed || upload.stored || !rules.isHeld(operation))
    return runOperation(state, operation, job, call.connection)
  const { id } = hold(state, operation, job, call.connection)
  if (rules.keepsHeldBytes) keep(job, 'held')
  return { status: 'pending_approval', approvalId: id }
}

export const finalizeStep: UploadStepDefinition = { name: 'finalize', schema: finalizeInput, answer }
