/** Uploads as discovery lists them, and the read that shows what came of them. */
import { uploadKinds, type KnowledgeKind, type FileFacts } from '../../tenant/operations/account-data.ts'
import {
  completedOutcome,
  failedOutcome,
  continuesAsTask,
  members,
  newest,
  readOperation,
  writeOperation,
  type Operation,
  failedReceipt,
} from '../../tenant/operations/operation.ts'
import { fileOf, keep, shownFile } from './upload.ts'
import { isUtf8 } from 'node:buffer'
import type { OperationInterpretations, UploadRules } from '../../rules/operations.ts'
import { fixedLimits } from '../../limits.ts'

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

/** Which files are taken: by their content type, and by how their bytes begin. */
const startsWith =
  (...signature: readonly number[]) =>
  (bytes: Uint8Array): boolean =>
    signature.every((byte, index) => bytes[index] === byte)

const isText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0)
const isZip = startsWith(0x50, 0x4b, 0x03, 0x04)
const isPdf = startsWith(0x25, 0x50, 0x44, 0x46, 0x2d)
/** The container of Excel and Word files before 2007. */
const isCompoundFile = startsWith(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

const openXml = 'application/vnd.openxmlformats-officedocument'

/** Recognizes bytes by content type. */
type FileKinds = Readonly<Record<string, (bytes: Uint8Array) => boolean>>

const fileKinds: Readonly<Record<KnowledgeKind, FileKinds>> = {
  document: {
    'application/pdf': isPdf,
    'text/plain': isText,
    'text/markdown': isText,
    'text/html': isText,
    [`${openXml}.wordprocessingml.document`]: isZip,
    'application/msword': isCompoundFile,
  },
  spreadsheet: {
    'text/csv': isText,
    [`${openXml}.spreadsheetml.sheet`]: isZip,
    'application/vnd.ms-excel': isCompoundFile,
  },
}

function recognizerOf(
  kind: KnowledgeKind,
  contentType: string,
): ((bytes: Uint8Array) => boolean) | undefined {
  const kinds = fileKinds[kind]
  const name = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}

export function fileProblem(
  kind: KnowledgeKind,
  { contentType, size }: FileFacts,
  limit: number,
): string | null {
  if (size > limit) return `The file has ${size} bytes; at most ${limit} are taken.`
  if (recognizerOf(kind, contentType)) return null
  const taken = Object.keys(fileKinds[kind]).join(', ')
  return `A ${kind} of content type ${JSON.stringify(contentType.slice(0, 80))} is not taken; send one of ${taken}.`
}

export function bytesProblem(
  kind: KnowledgeKind,
  { contentType, size }: FileFacts,
  bytes: Uint8Array,
): string | null {
  if (bytes.length !== size)
    return `${bytes.length} bytes came, ${size} were announced; prepare the upload with their number.`
  return recognizerOf(kind, contentType)?.(bytes)
    ? null
    : `The bytes are not ${contentType}; announce the content type that they have.`
}

/** Null where the text is not base64 as it is spelled with padding. */
export function fromBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** Uploads as the simulator has them, under each interpretation: the routes, and when one has lapsed. */
const hourMs = 60 * 60 * 1000

const steps: Partial<UploadRules> = {
  uploadLimitBytes: fixedLimits.uploadBytes,
  fileProblem,
  bytesProblem,
  uploadRunId: (_step, idOfKey) => idOfKey,
}

export const uploadInterpretations: Pick<
  OperationInterpretations,
  'GAP-UPLOAD-ROUTES' | 'GAP-UPLOAD-RENEWAL'
> = {
  'GAP-UPLOAD-ROUTES': {
    'two-steps': { ...steps, uploadsAtOnce: false },
    'one-step': { ...steps, uploadsAtOnce: true },
  },
  'GAP-UPLOAD-RENEWAL': {
    lapsed: {
      preparedLifeMs: hourMs,
      renewalWaits: ({ approval }) => approval,
      renewalReceipt: (approvalId) => ({
        ...failedReceipt(
          'UPLOAD_RENEWAL_INCOMPLETE',
          `The prepared upload lapsed and its renewal waits for the owner: read the approval ${approvalId}, and send the upload again with the same two keys when it is approved.`,
        ),
        approvalId,
      }),
    },
  },
}
