/** Uploads as discovery lists them, and the read that shows what came of them. */
import { uploadKinds, type KnowledgeKind } from '../account-data.ts'
import {
  completedOutcome,
  failedOutcome,
  continuesAsTask,
  members,
  newest,
  readOperation,
  writeOperation,
  type Operation,
} from '../operation.ts'
import { fileOf, keep, shownFile } from './upload.ts'

export const uploadIds = {
  document: 'knowledge.upload_document',
  spreadsheet: 'knowledge.upload_spreadsheet',
} as const satisfies Record<KnowledgeKind, string>

export const uploadPath = (kind: KnowledgeKind, step: 'prepare' | 'finalize'): string =>
  `/api/v1/uploads/${kind}s/${step}`

const announced = members({
  // A name and no path: neither a slash nor a control character.
  fileName: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^/\\\\\\u0000-\\u001f\\u007f]+$' },
  contentType: { type: 'string', minLength: 1, maxLength: 200 },
  size: { type: 'integer', minimum: 1, description: 'Bytes of the file.' },
})

/** What the second step takes. */
export const finalizeInput = members({
  uploadId: { type: 'string', minLength: 1, maxLength: 100 },
  bytes: { type: 'string', minLength: 1, description: 'The file in base64.' },
})

const route = (kind: KnowledgeKind): Operation['route'] => ({
  method: 'POST',
  path: uploadPath(kind, 'prepare'),
  isServed: () => true,
})

export const uploadOperations: readonly Operation[] = [
  writeOperation({
    id: uploadIds.document,
    title: 'Upload a document',
    description: 'Prepares an upload; finalizing it carries the bytes, and waits for the owner.',
    scope: 'knowledge.write',
    input: announced,
    route: route('document'),
    approval: true,
    resent: true,
    perform: (_tenantState, job) => {
      const file = keep(job, 'ready')
      return 'is' in file ? file : completedOutcome(shownFile(file))
    },
  }),
  writeOperation({
    id: uploadIds.spreadsheet,
    title: 'Upload a spreadsheet',
    description: 'Prepares an upload of a CSV or Excel file; a task imports it after it was finalized.',
    scope: 'knowledge.write',
    input: announced,
    route: route('spreadsheet'),
    resent: true,
    perform: (_tenantState, job) => {
      const file = keep(job, 'importing')
      return 'is' in file ? file : continuesAsTask()
    },
    finish: (_tenantState, job) => {
      const file = fileOf(job)
      if (!file)
        return failedOutcome('FILE_FORGOTTEN', 'Newer files took its place; upload it again with new keys.')
      file.state = 'ready'
      job.data.knowledge.touch(file.id)
      return completedOutcome(shownFile(file))
    },
  }),
  readOperation({
    id: 'knowledge.list',
    title: 'List uploaded files',
    description: 'Documents and spreadsheets that are stored, the newest first, and how many there are.',
    input: members({ kind: { type: 'string', enum: uploadKinds } }, []),
    perform: (_tenantState, { data, input }) => {
      const kind = uploadKinds.find((one) => one === input['kind'])
      const files = data.knowledge.values().filter((file) => kind === undefined || file.kind === kind)
      return completedOutcome({ files: newest(files).map(shownFile), count: data.knowledge.count(kind) })
    },
  }),
]
