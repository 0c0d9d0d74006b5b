/** One request of an upload, up to what is its own: who sends it, what it carries, and its key. */
import { receiptReply, operationRefusalReply } from '../routes/reply.ts'
import type { KnowledgeKind } from '../account-data.ts'
import type { Call } from '../../server/call.ts'
import type { ReplyInfo, Reply } from '../../server/reply.ts'
import type { ServiceRoute } from '../../server/route.ts'
import type { JsonObject } from '../../json.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { aboutVisit, enterOperations, type OperationVisit } from '../routes/enter.ts'
import { loadCompiler } from '../input-problem.ts'
import { keyedBy, once, type Keyed } from '../routes/keyed.ts'
import type { Operation } from '../operation.ts'
import { objection } from '../rules/permission.ts'
import type { RunReceipt } from '../receipt.ts'
import { isOperationRefusal, notFoundRefusal, type OperationRefusal } from '../refusal.ts'
import { jsonBodyOf, fittingInput, operationKeyOf } from '../routes/request.ts'
import { uploadIds, uploadPath } from './rows.ts'
import type { UploadPhase } from './rules.ts'

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
  answer(asked: AskedUpload): RunReceipt | OperationRefusal | Promise<RunReceipt | OperationRefusal>
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
    const visit = enterOperations(state, call)
    if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, named)
    const about = aboutVisit(visit, named)
    await loadCompiler()
    const asked = ask(visit, kind, step)
    if (isOperationRefusal(asked)) return operationRefusalReply(state, asked, about)
    const at: ReplyInfo = asked.key === null ? about : { ...about, key: asked.key }
    return receiptReply(state, await step.answer(asked), at)
  }
  return { method: 'POST', path: uploadPath(kind, step.name), handle }
}

/** What the key of a step stands for, with `facts` in place of bytes; null where nothing remembers it. */
export function keyedStep({ visit, step, operation, key }: AskedUpload, facts: JsonObject): Keyed | null {
  if (key === null) return null
  const { state, apiKey, call } = visit
  const { rules } = state
  const id = rules.uploadRunId(step, rules.runId(apiKey, key), call)
  return keyedBy(state, id, operation, { step, ...facts })
}

export function answerOnce(
  state: TenantState,
  keyed: Keyed | null,
  perform: () => RunReceipt,
): RunReceipt | Promise<RunReceipt | OperationRefusal> {
  return keyed === null ? perform() : once(state, keyed, perform)
}
