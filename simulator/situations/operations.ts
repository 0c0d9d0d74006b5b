/** Situations with writes that are not complete with their receipt. */
import type { Tenant } from '../tenant-handle.ts'
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

/** Executes the write, and returns the id of the approval or task that it created. */
const execute = (tenant: Tenant, wanted: Write, what: 'approvals' | 'tasks'): Promise<string> =>
  idCreatedBy(tenant, what, () => setupRequest(tenant, writeStep(tenant, wanted)))

/** Makes steps that read the task. */
const pollOf =
  (apiKey: string, task: string) =>
  (does: string, shows: string): PreparedStep =>
    step(readStep(apiKey, `/api/v1/tasks/${task}`), 200, does, shows)

type Situations = 'approval' | 'approval-rejected' | 'import-task' | 'task-needs-input' | 'task-failed'

export const operationSituations: Pick<SituationTable, Situations> = {
  approval: {
    title: 'A write waits for approval by the owner',
    shows: 'the approval is polled until it is decided; then the same request with the same key completes',
    async set(tenant) {
      const wanted = {
        apiKey: tenant.keys.main,
        operation: 'customers.erase',
        input: { customerId: 'cus_1001', reason: 'customer-asked' },
        idempotencyKey: freshKey(tenant, 'erase'),
      }
      const approval = await execute(tenant, wanted, 'approvals')
      const path = `/api/v1/approvals/${approval}`
      const steps = [
        step(
          writeStep(tenant, wanted),
          202,
          'The receipt says that approval is required.',
          'pending_approval',
        ),
        step(readStep(wanted.apiKey, path), 200, 'The approval is pending.', 'pending'),
        step(
          controlStep(tenant, 'POST', `/approvals/${approval}`, { decision: 'approved' }),
          200,
          'The owner approves the write.',
          'approved',
        ),
        step(readStep(wanted.apiKey, path), 200, 'The approval shows the decision.', 'approved'),
        step(
          writeStep(tenant, wanted),
          200,
          'The same request with the same key returns the result.',
          'completed',
        ),
      ]
      return { ...wanted, approval, steps }
    },
  },
  'import-task': {
    title: 'An import continues as a task',
    shows: 'the receipt has the status accepted; the task is polled until its state is final',
    async set(tenant) {
      const wanted = {
        apiKey: tenant.keys.main,
        operation: 'customers.import',
        input: { customers: [{ name: 'Ada', email: 'ada@example.com' }], source: 'shop' },
        idempotencyKey: freshKey(tenant, 'import'),
      }
      const task = await execute(tenant, wanted, 'tasks')
      const poll = pollOf(wanted.apiKey, task)
      const steps = [
        step(writeStep(tenant, wanted), 202, 'The receipt has the id of the task.', 'accepted'),
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
      const wanted = {
        apiKey: tenant.keys.main,
        operation: 'customers.erase',
        input: { customerId: 'cus_1002', reason: 'duplicate' },
        idempotencyKey: freshKey(tenant, 'erase'),
      }
      const approval = await execute(tenant, wanted, 'approvals')
      const steps = [
        step(
          controlStep(tenant, 'POST', `/approvals/${approval}`, { decision: 'rejected' }),
          200,
          'The owner rejects the write.',
          'rejected',
        ),
        step(
          readStep(wanted.apiKey, `/api/v1/approvals/${approval}`),
          200,
          'The approval shows the decision.',
          'APPROVAL_REJECTED',
        ),
        step(
          writeStep(tenant, wanted),
          422,
          'The same request with the same key has failed.',
          'APPROVAL_REJECTED',
        ),
      ]
      return { ...wanted, approval, steps }
    },
  },
  'task-needs-input': {
    title: 'A task waits for the owner',
    shows: 'the state input_required is not final: the client polls until the owner has given the input',
    async set(tenant) {
      const wanted = {
        apiKey: tenant.keys.main,
        operation: 'calendar.connect',
        input: { agentId: tenant.agents.plain, provider: 'caldav' },
        idempotencyKey: freshKey(tenant, 'calendar'),
      }
      const task = await execute(tenant, wanted, 'tasks')
      tenant.stepTask(task, 'next')
      tenant.stepTask(task, 'next')
      const poll = pollOf(wanted.apiKey, task)
      const steps = [
        poll('The task waits for input.', 'input_required'),
        step(
          controlStep(tenant, 'POST', `/tasks/${task}`, { step: 'input' }),
          200,
          'The owner gives the input.',
          'running',
        ),
        step(
          controlStep(tenant, 'POST', `/tasks/${task}`, { step: 'finish' }),
          200,
          'The work of the task ends.',
          'completed',
        ),
        poll('The task is completed.', 'completed'),
      ]
      return { ...wanted, task, steps }
    },
  },
  'task-failed': {
    title: 'A task fails',
    shows: 'the write was accepted and its task fails: error.resolution says what to do',
    async set(tenant) {
      const wanted = {
        apiKey: tenant.keys.main,
        operation: 'orders.archive',
        input: { before: '2029-01-01' },
        idempotencyKey: freshKey(tenant, 'archive'),
      }
      const task = await execute(tenant, wanted, 'tasks')
      const poll = pollOf(wanted.apiKey, task)
      const steps = [
        poll('The task is queued.', 'queued'),
        poll('The task is running.', 'running'),
        poll('The task has failed, which is final.', 'ARCHIVE_FULL'),
      ]
      return { ...wanted, task, steps }
    },
  },
}

/** Situations of an upload that needs the approval of the owner. */
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
