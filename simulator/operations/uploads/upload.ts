/** Uploads on their way and the files that came of them. Of a file its digest is kept: nothing reads it back. */
import type { JsonObject } from '../../json.ts'
import type {
  AccountData,
  FileFacts,
  KnowledgeFile,
  PreparedUpload,
  KnowledgeKind,
} from '../../tenant/operations/account-data.ts'
import {
  failedOutcome,
  type Failed,
  type Job,
  type OperationContext,
  completedOutcome,
  type Operation,
} from '../../tenant/operations/operation.ts'

export function addUpload(
  { clock }: OperationContext,
  data: AccountData,
  kind: KnowledgeKind,
  file: FileFacts,
): PreparedUpload {
  const upload: PreparedUpload = {
    id: `upl_${data.random.word(16)}`,
    kind,
    ...file,
    preparedAt: clock.now(),
    renewal: null,
    renewed: false,
    stored: false,
  }
  data.uploads.add(upload, upload.id)
  return upload
}

export const inputText = (input: JsonObject, name: string): string => {
  const value = input[name]
  return typeof value === 'string' ? value : ''
}

export function uploadOf({ data, input }: Job): PreparedUpload | undefined {
  return data.uploads.get(inputText(input, 'uploadId'))
}

export function fileOf({ data, input }: Job): KnowledgeFile | undefined {
  const id = inputText(input, 'uploadId')
  return data.knowledge.values().find(({ upload }) => upload === id)
}

/** As new; `agreed`: by the owner, who is not asked once more for the same upload. */
export function refresh(
  { clock }: OperationContext,
  { data }: Job,
  upload: PreparedUpload,
  agreed: boolean,
): void {
  upload.preparedAt = clock.now()
  upload.renewal = null
  upload.renewed = agreed
  data.uploads.touch(upload.id)
}

/** The file is there from now on. */
export function keep(job: Job, state: KnowledgeFile['state']): KnowledgeFile | Failed {
  const { data, input } = job
  const upload = uploadOf(job)
  if (!upload || upload.stored)
    return failedOutcome(
      'UPLOAD_STORED',
      'The file of this upload is stored already; prepare another upload.',
    )
  upload.stored = true
  data.uploads.touch(upload.id)
  const { kind, fileName, contentType, size } = upload
  const file: KnowledgeFile = {
    id: `file_${data.random.word(16)}`,
    kind,
    upload: upload.id,
    fileName,
    contentType,
    size,
    sha256: inputText(input, 'sha256'),
    state,
  }
  data.knowledge.add(file, file.id)
  return file
}

export function shownFile({ upload: _upload, ...shown }: KnowledgeFile): JsonObject {
  return shown
}

/** In place of the upload itself. It needs no bytes, so that it is done as soon as other approved work. */
export function renewalOf(operation: Operation): Operation {
  return {
    ...operation,
    renews: true,
    resent: false,
    perform: (state, job) => {
      const upload = uploadOf(job)
      if (!upload)
        return failedOutcome('UPLOAD_FORGOTTEN', 'Newer uploads took its place; prepare another upload.')
      refresh(state, job, upload, true)
      return completedOutcome({ uploadId: upload.id, renewed: true })
    },
    finish: null,
  }
}
