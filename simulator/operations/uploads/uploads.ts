/** Uploads of documents and spreadsheets: their rows of the catalogue, the routes of their steps, their interpretations. */
import { uploadKinds, type KnowledgeKind } from '../../tenant/operations/account-data.ts'
import type { ServiceRoute } from '../../route.ts'
import { finalizeStep, stepRoute, uploadOf, prepareStep } from './step.ts'
import { limits } from '../../../spec/index.ts'
import { receiptReply, operationRefusalReply, fittingInput } from '../routes/execute.ts'
import type { Call, ReplyInfo, Reply } from '../../edge/reply.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { enterOperations, type OperationVisit } from '../routes/enter.ts'
import {
  loadCompiler,
  isOperationRefusal,
  refuseOperation,
  type OperationRefusal,
  notServed,
} from '../../edge/operation-refusal.ts'
import type { RunReceipt } from '../../tenant/operations/operation.ts'
import { inputText } from './upload.ts'
import { fromBase64, uploadIds } from './rows.ts'

const { idempotencyKeyMaxCharacters: keyMost } = limits

/** What it is sent for; the request has to say so. */
const source = 'api'

async function answer(visit: OperationVisit, kind: KnowledgeKind): Promise<RunReceipt | OperationRefusal> {
  const uploading = uploadOf(visit, kind)
  if (isOperationRefusal(uploading)) return uploading
  const { operation, body } = uploading
  if (body['source'] !== source) return refuseOperation('INVALID_INPUT', `source has to be ${source}.`)
  const [first, second] = [inputText(body, 'prepareKey'), inputText(body, 'finalizeKey')]
  if (first === '' || second === '')
    return refuseOperation(
      'IDEMPOTENCY_KEY_REQUIRED',
      'An upload needs prepareKey and finalizeKey in its body.',
    )
  if (first.length > keyMost || second.length > keyMost)
    return refuseOperation('INVALID_INPUT', `A key has at most ${keyMost} characters; send shorter ones.`)
  const bytes = inputText(body, 'bytes')
  const { fileName = '', contentType = '' } = body
  const facts = { fileName, contentType, size: fromBase64(bytes)?.length ?? 0 }
  const fits = fittingInput(visit, operation, facts)
  if (isOperationRefusal(fits)) return fits
  const asked = { visit, kind, operation }
  const prepared = await prepareStep.answer({ ...asked, step: 'prepare', input: fits.input, key: first })
  if (isOperationRefusal(prepared) || prepared.status !== 'completed') return prepared
  const uploadId = inputText(prepared.data as never, 'uploadId')
  return finalizeStep.answer({ ...asked, step: 'finalize', input: { uploadId, bytes }, key: second })
}

function atOnceRoute(kind: KnowledgeKind): ServiceRoute {
  const named: ReplyInfo = { operation: 'finalize-upload', operationId: uploadIds[kind] }
  const handle = async (state: TenantState, call: Call): Promise<Reply> => {
    if (!state.rules.uploadsAtOnce) return operationRefusalReply(state, notServed(), named)
    const visit = enterOperations(state, call, named)
    if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, named)
    await loadCompiler()
    return receiptReply(state, await answer(visit, kind), visit.about)
  }
  return { method: 'POST', path: `/api/v1/uploads/${kind}s`, handle }
}

export { uploadInterpretations } from './rows.ts'
export { uploadOperations } from './rows.ts'

export const uploadRoutes: readonly ServiceRoute[] = uploadKinds.flatMap((kind) => [
  stepRoute(kind, prepareStep),
  stepRoute(kind, finalizeStep),
  atOnceRoute(kind),
])
