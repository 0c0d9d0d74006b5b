/** An upload in one request: it is prepared and finalized with the two keys that its body carries. */
import { receiptReply, refusalReply } from '../routes/reply.ts'
import { type UploadKind } from '../account-data.ts'
import type { Call } from '../../server/call.ts'
import type { About, Reply } from '../../server/reply.ts'
import type { ServiceRoute } from '../../server/route.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { aboutVisit, enter, type Visit } from '../routes/enter.ts'
import { loadCompiler } from '../input-problem.ts'
import { objection } from '../rules/permission.ts'
import { type Receipt } from '../receipt.ts'
import { isRefusal, refuse, unknown, type Refusal } from '../refusal.ts'
import { bodyOf, fitting } from '../routes/request.ts'
import { textOf } from './upload.ts'
import { fromBase64 } from './content.ts'
import { finalizeStep } from './finalize.ts'
import { prepareStep } from './prepare.ts'
import { uploadIds } from './rows.ts'

/** What it is sent for; the request has to say so. */
const source = 'api'

async function answer(visit: Visit, kind: UploadKind): Promise<Receipt | Refusal> {
  const { state, apiKey } = visit
  const operation = state.rules.catalogue.find(({ id }) => id === uploadIds[kind])
  if (!operation) return unknown(state.rules, 'operation')
  const refusal = objection(state, apiKey, operation, null)
  if (refusal) return refusal
  const body = bodyOf(visit)
  if (isRefusal(body)) return body
  if (body['source'] !== source) return refuse('INVALID_INPUT', `source has to be ${source}.`)
  const [first, second] = [textOf(body, 'prepareKey'), textOf(body, 'finalizeKey')]
  if (first === '' || second === '')
    return refuse('IDEMPOTENCY_KEY_REQUIRED', 'An upload needs prepareKey and finalizeKey in its body.')
  const bytes = textOf(body, 'bytes')
  const { fileName = '', contentType = '' } = body
  const facts = { fileName, contentType, size: fromBase64(bytes)?.length ?? 0 }
  const fits = fitting(visit, operation, facts)
  if (isRefusal(fits)) return fits
  const asked = { visit, kind, operation }
  const prepared = await prepareStep.answer({ ...asked, step: 'prepare', input: fits.input, key: first })
  if (isRefusal(prepared) || prepared.status !== 'completed') return prepared
  const uploadId = textOf(prepared.data as never, 'uploadId')
  return finalizeStep.answer({ ...asked, step: 'finalize', input: { uploadId, bytes }, key: second })
}

export function atOnceRoute(kind: UploadKind): ServiceRoute {
  const named: About = { operation: 'finalize-upload', operationId: uploadIds[kind] }
  const handle = async (state: TenantState, call: Call): Promise<Reply> => {
    if (!state.rules.uploadsAtOnce)
      return refusalReply(state, refuse('NOT_FOUND', 'There is nothing at this path.'), named)
    const visit = enter(state, call)
    if (isRefusal(visit)) return refusalReply(state, visit, named)
    const about = aboutVisit(visit, named)
    await loadCompiler()
    const receipt = await answer(visit, kind)
    return isRefusal(receipt) ? refusalReply(state, receipt, about) : receiptReply(state, receipt, about)
  }
  return { method: 'POST', path: `/api/v1/uploads/${kind}s`, handle }
}
