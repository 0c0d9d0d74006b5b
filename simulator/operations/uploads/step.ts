/** One request of an upload, up to what is its own: who sends it, what it carries, and its key. */
import {
  receiptReply,
  operationRefusalReply,
  keyedBy,
  once,
  type Keyed,
  jsonBodyOf,
  fittingInput,
  operationKeyOf,
} from '../routes/execute.ts'
import type { KnowledgeKind, PreparedUpload } from '../../tenant/operations/account-data.ts'
import type { Call, ReplyInfo, Reply } from '../../edge/reply.ts'
import type { ServiceRoute } from '../../route.ts'
import { type JsonObject, isObject } from '../../json.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { enterOperations, type OperationVisit } from '../routes/enter.ts'
import {
  loadCompiler,
  isOperationRefusal,
  notFoundRefusal,
  type OperationRefusal,
  refuseOperation,
} from '../../edge/operation-refusal.ts'
import type { Operation, RunReceipt, Job } from '../../tenant/operations/operation.ts'
import { objection, type UploadPhase } from '../../rules/operations.ts'
import { uploadIds, uploadPath, fromBase64, finalizeInput } from './rows.ts'
import { createHash } from 'node:crypto'
import { approvalState, hold, receiptOfApproval, resume } from '../approvals.ts'
import { runOperation } from '../tasks.ts'
import { inputText, refresh, addUpload, renewalOf } from './upload.ts'
import type { ApiKey } from '../../tenant/principals.ts'

/** What becomes of an upload that was prepared too long ago. */
function isLapsed({ clock, rules }: TenantState, { preparedAt, stored }: PreparedUpload): boolean {
  return !stored && clock.now() - preparedAt >= rules.preparedLifeMs
}

/** Null: it is as new. Else what it answers until it is. */
function renewed(
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

/** What was asked for. `input` fits the schema of its step. */
export interface AskedUpload {
  readonly visit: OperationVisit
  readonly kind: KnowledgeKind
  readonly step: UploadPhase
  /** The row of the rules, which a modification may have changed. */
  readonly operation: Operation
  readonly input: JsonObject
  /** Null: nothing remembers it. */
  readonly key: string | null
}

export interface UploadStepDefinition {
  readonly name: UploadPhase
  /** Null: the one of the operation. */
  readonly schema: JsonObject | null
  answer(asked: AskedUpload): OperationRefusal | Promise<RunReceipt | OperationRefusal>
}

/** The operation, where the key may use it, and the body of the request. */
export function uploadOf(
  visit: OperationVisit,
  kind: KnowledgeKind,
): { operation: Operation; body: JsonObject } | OperationRefusal {
  const { state, apiKey } = visit
  const operation = state.rules.catalogue.find(({ id }) => id === uploadIds[kind])
  if (!operation) return notFoundRefusal(state.rules, 'operation')
  const refusal = objection(state, apiKey, operation, null)
  if (refusal) return refusal
  const body = jsonBodyOf(visit)
  return isOperationRefusal(body) ? body : { operation, body }
}

function ask(
  visit: OperationVisit,
  kind: KnowledgeKind,
  { name: step, schema }: UploadStepDefinition,
): AskedUpload | OperationRefusal {
  const { state } = visit
  const uploading = uploadOf(visit, kind)
  if (isOperationRefusal(uploading)) return uploading
  const { operation, body } = uploading
  const { idempotency_key: _key, ...rest } = body
  const given = state.rules.keyPlace === 'body' ? rest : body
  const fits = fittingInput(visit, schema ? { ...operation, input: () => schema } : operation, given)
  if (isOperationRefusal(fits)) return fits
  const carried = operationKeyOf(visit, body)
  return isOperationRefusal(carried)
    ? carried
    : { visit, kind, step, operation, input: fits.input, key: carried.key }
}

export function stepRoute(kind: KnowledgeKind, step: UploadStepDefinition): ServiceRoute {
  const named: ReplyInfo = { operation: `${step.name}-upload`, operationId: uploadIds[kind] }
  const handle = async (state: TenantState, call: Call): Promise<Reply> => {
    const visit = enterOperations(state, call, named)
    if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, named)
    const { about } = visit
    await loadCompiler()
    const asked = ask(visit, kind, step)
    if (isOperationRefusal(asked)) return operationRefusalReply(state, asked, about)
    const at: ReplyInfo = asked.key === null ? about : { ...about, key: asked.key }
    return receiptReply(state, await step.answer(asked), at)
  }
  return { method: 'POST', path: uploadPath(kind, step.name), handle }
}

/** What the key of a step stands for, with `facts` in place of bytes; null where nothing remembers it. */
function keyedStep({ visit, step, operation, key }: AskedUpload, facts: JsonObject): Keyed | null {
  if (key === null) return null
  const { state, apiKey, call } = visit
  const { rules } = state
  const id = rules.uploadRunId(step, rules.runId(apiKey, key), call)
  return keyedBy(id, operation, { step, ...facts })
}

/** The second step of an upload: the bytes come, and are stored, unless the owner has to decide first. */
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

function answer(asked: AskedUpload): OperationRefusal | Promise<RunReceipt | OperationRefusal> {
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
  return once(state, keyed, () => finalize(asked, upload, job))
}

function finalize({ visit, operation }: AskedUpload, upload: PreparedUpload, job: Job): RunReceipt {
  const { state, call } = visit
  const { rules } = state
  const waiting = isLapsed(state, upload) ? renewed(state, operation, upload, job, call.connection) : null
  if (waiting) return waiting
  if (upload.renewed || upload.stored || !rules.isHeld(operation))
    return runOperation(state, operation, job, call.connection)
  return { status: 'pending_approval', approvalId: hold(state, operation, job, call.connection).id }
}

export const finalizeStep: UploadStepDefinition = { name: 'finalize', schema: finalizeInput, answer }

function prepare(asked: AskedUpload): OperationRefusal | Promise<RunReceipt | OperationRefusal> {
  const { visit, kind, input } = asked
  const { state, apiKey } = visit
  const { rules } = state
  // The schema has seen to the types, unless a fault lets anything through.
  const [fileName, contentType] = [inputText(input, 'fileName'), inputText(input, 'contentType')]
  const file = { fileName, contentType, size: Number(input['size']) }
  const problem = rules.fileProblem(kind, file, rules.uploadLimitBytes)
  if (problem !== null) return refuseOperation('INVALID_INPUT', problem)
  return once(state, keyedStep(asked, input), () => {
    const { id, preparedAt } = addUpload(state, state.operations.dataOf(apiKey.account), kind, file)
    const expiresAt = new Date(preparedAt + rules.preparedLifeMs).toISOString()
    return { status: 'completed', data: { uploadId: id, expiresAt } }
  })
}

export const prepareStep: UploadStepDefinition = { name: 'prepare', schema: null, answer: prepare }
