/** What a write leads to: receipts, tasks, approvals and uploads. */
import { type Call, type JsonReply, type Reply, jsonReply } from '../edge/reply.ts'
import { type JsonObject, isObject } from '../json.ts'
import { apiKeyOfCall, asText, withoutMembers } from '../modification/changes.ts'
import { type Fault, type Modification, type TenantHooks, fault } from '../modification/modification.ts'
import {
  hasFailed,
  onAnswer,
  onOperationBody,
  onReceiptError,
  receiptBodyOf,
} from '../modification/operation-changes.ts'
import { approvalState } from '../operations/approvals.ts'
import { runOperation } from '../operations/tasks.ts'
import { uploadIds } from '../operations/uploads/rows.ts'
import { uploadOf } from '../operations/uploads/upload.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import type { KnowledgeKind } from '../tenant/operations/account-data.ts'
import { type Operation, type RunReceipt, failedReceipt } from '../tenant/operations/operation.ts'
import type { Approval, Task } from '../tenant/operations/store.ts'

const isUncertain = (receipt: RunReceipt): boolean =>
  receipt.status === 'failed' && receipt.code === 'OUTCOME_UNCERTAIN'

/** One of each kind; uncertain outcomes have clauses of their own. */
const isUnfinished: Parameters<typeof onAnswer>[0] = ({ operation, operationId, receipt = '' }) =>
  operation === 'execute' &&
  (['accepted', 'pending_approval'].includes(receipt) ||
    (receipt === 'failed' && operationId === 'orders.export'))

const failedExport = receiptBodyOf('orders.export', 'failed')

/** Gives an outcome that is not known another code. */
const calling =
  (code: string) =>
  (error: JsonObject): JsonObject =>
    error['code'] === 'OUTCOME_UNCERTAIN' ? { ...error, code } : error

/** Changes the answers of reads that found a task. */
function onTask(change: (reply: JsonReply) => ReturnType<NonNullable<TenantHooks['reply']>>): TenantHooks {
  return {
    reply: (reply) =>
      reply.kind === 'json' && reply.about.operation === 'task' && reply.status === 200
        ? change(reply)
        : reply,
  }
}

/** Shows another state where it gives one. */
function showing(state: (task: Task) => string | number | null): NonNullable<Modification['rules']> {
  return (plain) => ({
    taskBody: (task, rules) => {
      const shown = state(task)
      return { ...plain.taskBody(task, rules), ...(shown === null ? {} : { state: shown }) }
    },
  })
}

/** Changes the answers of reads that found an approval. */
function onApproval(change: (reply: JsonReply) => Reply): TenantHooks {
  return {
    reply: (reply) =>
      reply.kind === 'json' && reply.about.operation === 'approval' && reply.status === 200
        ? change(reply)
        : reply,
  }
}

/** The approval that the key of an execution has led to. */
function approvalOf({ about }: Reply, call: Call, state: TenantState): Approval | undefined {
  const apiKey = apiKeyOfCall(call, state)
  if (about.operation !== 'execute' || about.key === undefined || !apiKey) return undefined
  const receipt = state.operations.runs.get(state.rules.runId(apiKey, about.key))?.receipt
  return receipt?.status === 'pending_approval'
    ? state.operations.approvals.get(receipt.approvalId)
    : undefined
}

/** Does the work when the same request comes again, and again each time, as long as its approval stands so. */
function worksAgain(state: ReturnType<typeof approvalState>): NonNullable<Fault['remember']> {
  return () => {
    const known = new WeakSet<Approval>()
    return {
      reply: (reply, call, tenantState) => {
        const approval = approvalOf(reply, call, tenantState)
        if (!approval) return reply
        if (approvalState(tenantState, approval) === state && known.has(approval))
          runOperation(tenantState, approval.operation, approval.job, call.connection)
        if (state !== 'approved' || approval.receipt) known.add(approval)
        return reply
      },
    }
  }
}

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

export const outcomeFaults = {
  'one-accepted-without-receipt': fault({
    title: 'One of several operations that go on as tasks is answered without a receipt.',
    breaks: ['EXEC-RECEIPT'],
    ...onOperationBody(receiptBodyOf('calendar.connect', 'accepted'), () => ({ ok: true })),
  }),
  'one-accepted-without-task': fault({
    title: 'The receipt of one of several operations that go on as tasks shows no task.',
    breaks: ['RCPT-ACCEPTED-TASK'],
    ...onOperationBody(receiptBodyOf('calendar.connect', 'accepted'), () => ({ status: 'accepted' })),
  }),
  'receipt-without-status': fault({
    title: 'The receipt of a write has null for its status.',
    breaks: ['RCPT-STATUS'],
    ...onAnswer(receiptBodyOf('notes.create', 'completed'), (reply) => ({
      ...reply,
      body: isObject(reply.body) ? { ...reply.body, status: null } : reply.body,
    })),
  }),
  'receipt-status-in-capitals': fault({
    title: 'The status of a receipt is written in capitals.',
    breaks: ['RCPT-STATUS-KNOWN'],
    ...onOperationBody(receiptBodyOf('notes.list', 'completed'), (body) => ({
      ...body,
      status: 'COMPLETED',
    })),
  }),
  'result-beside-status': fault({
    title: 'The members of what was read stand beside the status of the receipt.',
    breaks: ['RCPT-COMPLETED-DATA'],
    ...onOperationBody(receiptBodyOf('notes.list', 'completed'), ({ data = {}, ...body }) => ({
      ...body,
      ...(isObject(data) ? data : {}),
    })),
  }),
  'unfinished-receipt-wrapped': fault({
    title: 'A receipt that is not completed comes with 200, within a member of its own.',
    breaks: ['EXEC-RECEIPT', 'RCPT-STATUS'],
    ...onAnswer(isUnfinished, (reply) => ({ ...reply, status: 200, body: { receipt: reply.body } })),
  }),
  'failed-with-number': fault({
    title: 'The code of a failed receipt is a number.',
    breaks: ['RCPT-FAILED-CODE'],
    ...onReceiptError(failedExport, (error) => ({ ...error, code: 1042 })),
  }),
  'failed-without-resolution': fault({
    title: 'A failed receipt does not say what to do.',
    breaks: ['RCPT-FAILED-RESOLUTION'],
    ...onReceiptError(failedExport, (error) => ({
      ...withoutMembers(error, 'resolution'),
      message: 'It failed.',
    })),
  }),
  'uncertain-until-asked-thrice': fault({
    title: 'The third time that it is asked for, an outcome that is not known has failed for good.',
    breaks: ['RCPT-UNCERTAIN'],
    remember: () => {
      const counts = new Map<string, number>()
      return onReceiptError((about) => {
        const { key = '' } = about
        if (hasFailed(about)) counts.set(key, (counts.get(key) ?? 0) + 1)
        return hasFailed(about) && (counts.get(key) ?? 0) >= 3
      }, calling('FAILED'))
    },
  }),
  'uncertain-done-again': fault({
    title: 'A write whose outcome is not known is done again when its key comes again.',
    breaks: ['RCPT-UNCERTAIN', 'RCPT-UNCERTAIN-ONE-RUN'],
    rules: () => ({ runsAgain: isUncertain }),
  }),
  'task-accepted': fault({
    title: 'A task is answered 202.',
    breaks: ['TASK-READ', 'RCPT-ACCEPTED-TASK'],
    ...onTask((reply) => ({ ...reply, status: 202 })),
  }),
  'task-state-numbered': fault({
    title: 'The state of a task is a number.',
    breaks: ['TASK-STATE'],
    rules: showing(({ ahead }) => ahead.length),
  }),
  'task-state-in-progress': fault({
    title: 'A task that is running says that it is in progress.',
    breaks: ['TASK-STATE-KNOWN'],
    rules: showing(({ state }) => (state === 'running' ? 'in_progress' : null)),
  }),
  'task-end-changes': fault({
    title: 'A completed task is failed from its fourth read on.',
    breaks: ['TASK-FINAL'],
    rules: showing(({ state, reads }) => (state === 'completed' && reads >= 3 ? 'failed' : null)),
  }),
  'task-moves-only-when-read': fault({
    title: 'The work of a task goes on one step with each read of the task, and not otherwise.',
    breaks: ['TASK-CONTINUES'],
    rules: () => ({ paceOf: () => ({ by: 'reads', reads: 1 }) }),
  }),
  'task-of-its-connection': fault({
    title: 'A task is found on the connection alone that it was begun on.',
    breaks: ['TASK-DURABLE', 'TASK-READ'],
    rules: (rules) => ({
      findTask: (id, apiKey, call, state) => {
        const task = rules.findTask(id, apiKey, call, state)
        return task?.connection === call.connection ? task : null
      },
    }),
  }),
  'unknown-task-completed': fault({
    title: 'A task that does not exist is reported as completed, as if it had been cleared away.',
    breaks: ['TASK-UNKNOWN', 'SCOPE-FOREIGN', 'TASK-FINAL'],
    reply: (reply) =>
      reply.kind === 'json' && reply.about.operation === 'task' && [403, 404].includes(reply.status)
        ? jsonReply(200, { id: reply.about.task ?? '', state: 'completed' }, reply.about)
        : reply,
  }),
  'held-runs-at-once': fault({
    title:
      'A held operation waits with its answer and not with its work, which is done once more when it is approved.',
    breaks: ['APPR-HELD', 'UPL-DOCUMENT-HELD', 'UPL-DOCUMENT-PROCEEDS'],
    rules: (rules) => ({ worksOn: (moment) => moment === 'held' || rules.worksOn(moment) }),
  }),
  'held-runs-when-sent-again': fault({
    title: 'A held operation is done when it is sent again before the owner decided.',
    breaks: ['APPR-HELD'],
    remember: worksAgain('pending'),
  }),
  'approved-runs-twice': fault({
    title: 'What was approved and done is done once more when it is sent again.',
    breaks: ['APPR-APPROVED'],
    remember: worksAgain('approved'),
  }),
  'approved-twice-runs-twice': fault({
    title: 'What the owner approves a second time is done a second time.',
    breaks: ['APPR-APPROVED'],
    rules: (rules) => ({ worksOn: (moment) => moment === 'decided' || rules.worksOn(moment) }),
  }),
  'rejected-runs': fault({
    title: 'What the owner rejected is done all the same.',
    breaks: ['APPR-REJECTED'],
    rules: (rules) => ({ worksOn: (moment) => moment === 'rejected' || rules.worksOn(moment) }),
  }),
  'approval-as-page': fault({
    title: 'An approval comes as a page.',
    breaks: ['APPR-READ', 'RCPT-PENDING-APPROVAL'],
    ...onApproval((reply) => asText(reply, 'text/html', '<p>Waiting for the owner.</p>')),
  }),
  'approval-stays-pending': fault({
    title: 'An approval says pending whatever the owner decided.',
    breaks: ['APPR-DECISION-SHOWN'],
    rules: () => ({ approvalBody: ({ id }) => ({ id, state: 'pending' }) }),
  }),
  'unknown-approval-rejected': fault({
    title: 'An approval that does not exist is reported as rejected.',
    breaks: ['APPR-UNKNOWN', 'SCOPE-FOREIGN'],
    reply: (reply) =>
      reply.kind === 'json' && reply.about.operation === 'approval' && [403, 404].includes(reply.status)
        ? jsonReply(200, { id: reply.about.approval ?? '', state: 'rejected' }, reply.about)
        : reply,
  }),
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
