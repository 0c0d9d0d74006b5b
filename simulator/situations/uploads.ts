/** Situations of an upload that needs the approval of the owner. */
import type { Tenant } from '../tenant.ts'
import { idCreatedBy, setupRequest, textIn } from './setup-request.ts'
import type { SituationTable } from './definition.ts'
import type { UploadSituation } from './prepared.ts'
import { controlStep, freshKey, keyedPost, readStep, step } from './steps.ts'

const text = 'Goods may be returned within 30 days.'
const fileName = 'returns.txt'
const bytes = Buffer.from(text).toString('base64')

type Upload = Omit<UploadSituation, 'steps' | 'approval'>

/** Prepares a document in this tenant, without its bytes. */
async function preparedDocument(tenant: Tenant): Promise<Upload> {
  const apiKey = tenant.keys.main
  const [prepareKey, finalizeKey] = [freshKey(tenant, 'prepare'), freshKey(tenant, 'finalize')]
  const announced = { fileName, contentType: 'text/plain', size: text.length }
  const made = await setupRequest(
    tenant,
    keyedPost(tenant, {
      apiKey,
      path: '/api/v1/uploads/documents/prepare',
      body: announced,
      idempotencyKey: prepareKey,
    }),
  )
  return { apiKey, uploadId: textIn(made, 'uploadId'), prepareKey, finalizeKey, bytes }
}

const finalize = (tenant: Tenant, { apiKey, uploadId, finalizeKey }: Upload) =>
  keyedPost(tenant, {
    apiKey,
    path: '/api/v1/uploads/documents/finalize',
    body: { uploadId, bytes },
    idempotencyKey: finalizeKey,
  })

/** The owner approves, and the same request with the same key completes. */
const approvedSteps = (tenant: Tenant, upload: Upload, approval: string) => [
  step(
    controlStep(tenant, 'POST', `/approvals/${approval}`, { decision: 'approved' }),
    200,
    'The owner approves it.',
    'approved',
  ),
  step(finalize(tenant, upload), 200, 'The same request with the same key stores the document.', 'completed'),
]

export const uploadSituations: Pick<SituationTable, 'document-upload' | 'upload-lapsed'> = {
  'document-upload': {
    title: 'The upload of a document waits for approval',
    shows: 'nothing is stored until the owner approves; then the same two keys complete the upload',
    async set(tenant) {
      const upload = await preparedDocument(tenant)
      const send = () => setupRequest(tenant, finalize(tenant, upload))
      const approval = await idCreatedBy(tenant, 'approvals', send)
      const steps = [
        step(
          finalize(tenant, upload),
          202,
          'The bytes are sent, and approval is required.',
          'pending_approval',
        ),
        step(
          readStep(upload.apiKey, `/api/v1/approvals/${approval}`),
          200,
          'The approval is pending.',
          'pending',
        ),
        ...approvedSteps(tenant, upload, approval),
      ]
      return { ...upload, approval, steps }
    },
  },
  'upload-lapsed': {
    title: 'A prepared upload has lapsed',
    shows: 'its renewal needs approval; then the same request with the same key completes',
    async set(tenant) {
      const upload = await preparedDocument(tenant)
      tenant.lapseUpload({ key: upload.prepareKey })
      // It is refused, and asks for the approval.
      const send = () => setupRequest(tenant, finalize(tenant, upload)).catch(() => undefined)
      const approval = await idCreatedBy(tenant, 'approvals', send)
      const steps = [
        step(finalize(tenant, upload), 422, 'The bytes are sent too late.', 'UPLOAD_RENEWAL_INCOMPLETE'),
        ...approvedSteps(tenant, upload, approval),
      ]
      return { ...upload, approval, steps }
    },
  },
}
