/** One request of an upload, up to what is its own: who sends it, what it carries, and its key. */
import { receiptReply, refusalReply } from '../routes/reply.ts'
import type { UploadKind } from '../account-data.ts'
import type { Call } from '../../server/call.ts'
import type { About, Reply } from '../../server/reply.ts'
import type { ServiceRoute } from '../../server/route.ts'
import type { JsonObject } from '../../json.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { aboutVisit, enter, type Visit } from '../routes/enter.ts'
import { loadCompiler } from '../input-problem.ts'
import { keyedBy, once, type Keyed } from '../routes/keyed.ts'
import type { Operation } from '../operation.ts'
import { objection } from '../rules/permission.ts'
import { type Receipt } from '../receipt.ts'
import { isRefusal, unknown, type Refusal } from '../refusal.ts'
import { bodyOf, fitting, keyOf } from '../routes/request.ts'
import { uploadIds, uploadPath } from './rows.ts'
import type { UploadStepName } from './rules.ts'

/** What was asked for. `input` fits the schema of its step. */
export interface AskedUpload {
  readonly visit: Visit
  readonly kind: UploadKind
  readonly step: UploadStepName
  /** The row of the rules, which a modification may have changed. */
  readonly operation: Operation
  readonly input: JsonObject
  /** Null: nothing remembers it. */
  readonly key: string | null
}

export interface UploadStep {
  readonly name: UploadStepName
  /** Null: the one of the operation. */
  readonly schema: JsonObject | null
  answer(asked: AskedUpload): Receipt | Refusal | Promise<Receipt | Refusal>
}

function ask(visit: Visit, kind: UploadKind, { name: step, schema }: UploadStep): AskedUpload | Refusal {
  const { state, apiKey } = visit
  const operation = state.rules.catalogue.find(({ id }) => id === uploadIds[kind])
  if (!operation) return unknown(state.rules, 'operation')
  const refusal = objection(state, apiKey, operation, null)
  if (refusal) return refusal
  const body = bodyOf(visit)
  if (isRefusal(body)) return body
  const { idempotency_key: _key, ...rest } = body
  const given = state.rules.keyPlace === 'body' ? rest : body
  const fits = fitting(visit, schema ? { ...operation, input: () => schema } : operation, given)
  if (isRefusal(fits)) return fits
  const carried = keyOf(visit, body)
  return isRefusal(carried) ? carried : { visit, kind, step, operation, input: fits.input, key: carried.key }
}

export function stepRoute(kind: UploadKind, step: UploadStep): ServiceRoute {
  const named: About = { operation: `${step.name}-upload`, operationId: uploadIds[kind] }
  const handle = async (state: TenantState, call: Call): Promise<Reply> => {
    const visit = enter(state, call)
    if (isRefusal(visit)) return refusalReply(state, visit, named)
    const about = aboutVisit(visit, named)
    await loadCompiler()
    const asked = ask(visit, kind, step)
    if (isRefusal(asked)) return refusalReply(state, asked, about)
    const at: About = asked.key === null ? about : { ...about, key: asked.key }
    const receipt = await step.answer(asked)
    return isRefusal(receipt) ? refusalReply(state, receipt, at) : receiptReply(state, receipt, at)
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
  perform: () => Receipt,
): Receipt | Promise<Receipt | Refusal> {
  return keyed === null ? perform() : once(state, keyed, perform)
}
