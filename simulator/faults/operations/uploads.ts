/** Uploads that anybody may make, that wait or do not wait when they should, or that are stored twice. */
import type { KnowledgeKind } from '../../tenant/operations/account-data.ts'
import { type Operation, failedReceipt } from '../../tenant/operations/operation.ts'
import { uploadIds } from '../../operations/uploads/rows.ts'
import { uploadOf } from '../../operations/uploads/upload.ts'
import { fault, type Modification, type Fault } from '../../modification/modification.ts'

function row(kind: KnowledgeKind, change: Partial<Operation>): NonNullable<Modification['rules']> {
  return ({ catalogue }) => ({
    catalogue: catalogue.map((operation) =>
      operation.id === uploadIds[kind] ? { ...operation, ...change } : operation,
    ),
  })
}

/** Takes no spreadsheets of such a content type. */
function without(part: string): NonNullable<Modification['rules']> {
  return (rules) => ({
    fileProblem: (kind, file, limit) =>
      kind === 'spreadsheet' && file.contentType.includes(part)
        ? 'This content type is not taken.'
        : rules.fileProblem(kind, file, limit),
  })
}

export const uploadFaults = {
  'spreadsheet-without-scope': fault({
    title: 'Any key may upload a spreadsheet.',
    breaks: ['UPL-SCOPE'],
    rules: row('spreadsheet', { scope: null }),
  }),
  'spreadsheet-held': fault({
    title: 'A spreadsheet waits for the owner as a document does.',
    breaks: ['UPL-SHEET-NOT-HELD'],
    rules: row('spreadsheet', { approval: true }),
  }),
  'csv-refused': fault({
    title: 'Of spreadsheets only workbooks are taken.',
    breaks: ['UPL-SHEET-KINDS'],
    rules: without('csv'),
  }),
  'spreadsheet-keyless': fault({
    title: 'The keys of a spreadsheet count for nothing, and each time it is sent is another upload.',
    breaks: ['UPL-RETRY-ONCE'],
    rules: (rules) => {
      let sent = 0
      return {
        uploadRunId: (step, id, call) =>
          `${rules.uploadRunId(step, id, call)}${call.path.includes('spreadsheet') ? ++sent : ''}`,
      }
    },
  }),
  'upload-stored-by-each-of-a-race': fault({
    title: 'A spreadsheet that is finalized several times at once is stored by each.',
    breaks: ['UPL-RETRY-ONCE', 'EXEC-RETRY-RACE'],
    rules: (rules) => ({
      runGapMs: 5,
      performs: (operation, job, state) => {
        const upload = uploadOf(job)
        const [file] = job.data.knowledge.values().filter((one) => one.upload === upload?.id)
        if (operation.id === uploadIds.spreadsheet && file)
          job.data.knowledge.add({ ...file, id: `${file.id}b` }, `${file.id}b`)
        return rules.performs(operation, job, state)
      },
    }),
  }),
  'document-stored-again': fault({
    title: 'A document that was approved and stored is stored once more when it is sent again.',
    breaks: ['UPL-RETRY-ONCE', 'UPL-DOCUMENT-PROCEEDS'],
    reply: (reply, _call, { operations }) => {
      const { operation, operationId, receipt, account = '' } = reply.about
      if (operation !== 'finalize-upload' || operationId !== uploadIds.document || receipt !== 'completed')
        return reply
      const { knowledge } = operations.dataOf(account)
      const stored = knowledge.values().filter(({ kind }) => kind === 'document')
      for (const file of stored)
        if (stored.filter(({ upload }) => upload === file.upload).length === 1)
          knowledge.add({ ...file, id: `${file.id}b` }, `${file.id}b`)
      return reply
    },
  }),
  'renewal-says-nothing': fault({
    title: 'An upload whose renewal waits for the owner has an empty resolution.',
    breaks: ['UPL-RENEWAL'],
    rules: () => ({
      renewalReceipt: (approvalId) => ({ ...failedReceipt('UPLOAD_RENEWAL_INCOMPLETE', ''), approvalId }),
    }),
  }),
} as const satisfies Record<string, Fault>
