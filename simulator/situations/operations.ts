/** Situations with writes that are not complete with their receipt. */
import type { JsonObject } from '../json.ts'
import type { Tenant } from '../tenant-handle.ts'
import type { ApprovalDecision } from '../tenant/operations/store.ts'
import type { TaskStep } from '../operations/tasks.ts'
import {
  idCreatedBy,
  setupRequest,
  controlStep,
  freshKey,
  readStep,
  step,
  writeStep,
  type Write,
  type SituationTable,
  textIn,
  keyedPost,
} from './steps.ts'
import type { PreparedStep, UploadSituation } from '../prepared.ts'

/** The write of a situation, executed once: the id of the approval or task that it created, and the step that sends it again. */
async function written(
  tenant: Tenant,
  what: 'approvals' | 'tasks',
  operation: string,
  input: JsonObject,
  key: string,
) {
  const wanted: Write = {
    apiKey: tenant.keys.main,
    operation,
    input,
    idempotencyKey: freshKey(tenant, key),
  }
  const id = await idCreatedBy(tenant, what, () => setupRequest(tenant, writeStep(tenant, wanted)))
  const send = (status: number, does: string, shows: string): PreparedStep =>
    step(writeStep(tenant, wanted), status, does, shows)
  const poll = (does: string, shows: string): PreparedStep =>
    step(readStep(wanted.apiKey, `/api/v1/${what}/${id}`), 200, does, shows)
  return { wanted, id, send, poll }
}

const decide = (tenant: Tenant, approval: string, decision: ApprovalDecision, does: string): PreparedStep =>
  step(controlStep(tenant, 'POST', `/approvals/${approval}`, { decision }), 200, does, decision)

export const operationSituations = {
  approval: {
    title: 'A write waits for approval by the owner',
    shows: 'the approval is polled until it is decided; then the same request with the same key completes',
    async set(tenant) {
      const input = { customerId: 'cus_1001', reason: 'customer-asked' }
      const made = await written(tenant, 'approvals', 'customers.erase', input, 'erase')
      const { wanted, id: approval, send, poll } = made
      const steps = [
        send(202, 'The receipt says that approval is required.', 'pending_approval'),
        poll('The approval is pending.', 'pending'),
        decide(tenant, approval, 'approved', 'The owner approves the write.'),
        poll('The approval shows the decision.', 'approved'),
        send(200, 'The same request with the same key returns the result.', 'completed'),
      ]
      return { ...wanted, approval, steps }
    },
  },
  'import-task': {
    title: 'An import continues as a task',
    shows: 'the receipt has the status accepted; the task is polled until its state is final',
    async set(tenant) {
      const input = { customers: [{ name: 'Ada', email: 'ada@example.com' }], source: 'shop' }
      const made = await written(tenant, 'tasks', 'customers.import', input, 'import')
      const { wanted, id: task, send, poll } = made
      const steps = [
        send(202, 'The receipt has the id of the task.', 'accepted'),
        poll('The task is queued.', 'queued'),
        poll('The task is running.', 'running'),
        poll('The task is completed, which is final.', 'completed'),
      ]
      return { ...wanted, task, steps }
    },
  },
  'approval-rejected': {
    title: 'The owner rejects a write',
    shows: 'the write fails and is not executed: do not retry',
    async set(tenant) {
      const input = { customerId: 'cus_1002', reason: 'duplicate' }
      const made = await written(tenant, 'approvals', 'customers.erase', input, 'erase')
      const { wanted, id: approval, send, poll } = made
      const steps = [
        decide(tenant, approval, 'rejected', 'The owner rejects the write.'),
        poll('The approval shows the decision.', 'APPROVAL_REJECTED'),
        send(422, 'The same request with the same key has failed.', 'APPROVAL_REJECTED'),
      ]
      return { ...wanted, approval, steps }
    },
  },
  'task-needs-input': {
    title: 'A task waits for the owner',
    shows: 'the state input_required is not final: the client polls until the owner has given the input',
    async set(tenant) {
      const input = { agentId: tenant.agents.plain, provider: 'caldav' }
      const made = await written(tenant, 'tasks', 'calendar.connect', input, 'calendar')
      const { wanted, id: task, poll } = made
      tenant.stepTask(task, 'next')
      tenant.stepTask(task, 'next')
      const own = (taskStep: TaskStep, does: string, shows: string): PreparedStep =>
        step(controlStep(tenant, 'POST', `/tasks/${task}`, { step: taskStep }), 200, does, shows)
      const steps = [
        poll('The task waits for input.', 'input_required'),
        own('input', 'The owner gives the input.', 'running'),
        own('finish', 'The work of the task ends.', 'completed'),
        poll('The task is completed.', 'completed'),
      ]
      return { ...wanted, task, steps }
    },
  },
  'task-failed': {
    title: 'A task fails',
    shows: 'the write was accepted and its task fails: error.resolution says what to do',
    async set(tenant) {
      const input = { before: '2029-01-01' }
      const made = await written(tenant, 'tasks', 'orders.archive', input, 'archive')
      const { wanted, id: task, poll } = made
      const steps = [
        poll('The task is queued.', 'queued'),
        poll('The task is running.', 'running'),
        poll('The task has failed, which is final.', 'ARCHIVE_FULL'),
      ]
      return { ...wanted, task, steps }
    },
  },
} satisfies Partial<SituationTable>

/** Situations of an upload that needs the approval of the owner. */
const text = 'Goods may be returned within 30 days.'
const bytes = Buffer.from(text).toString('base64')

type Upload = Omit<UploadSituation, 'steps' | 'approval'>

/** Prepares a document in this tenant, without its bytes. */
async function preparedDocument(tenant: Tenant): Promise<Upload> {
  const apiKey = tenant.keys.main
  const [prepareKey, finalizeKey] = [freshKey(tenant, 'prepare'), freshKey(tenant, 'finalize')]
  const made = await setupRequest(
    tenant,
    keyedPost(tenant, {
      apiKey,
      path: '/api/v1/uploads/documents/prepare',
      body: { fileName: 'returns.txt', contentType: 'text/plain', size: text.length },
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
  decide(tenant, approval, 'approved', 'The owner approves it.'),
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
      const read = readStep(upload.apiKey, `/api/v1/approvals/${approval}`)
      const sent = finalize(tenant, upload)
      const steps = [
        step(sent, 202, 'The bytes are sent, and approval is required.', 'pending_approval'),
        step(read, 200, 'The approval is pending.', 'pending'),
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
