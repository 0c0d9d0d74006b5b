/** Receipts that do not say what came of it, or where it goes on. */
import { isObject, type JsonObject } from '../../json.ts'
import type { RunReceipt } from '../../tenant/operations/operation.ts'
import { withoutMembers } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import {
  hasFailed,
  onAnswer,
  onOperationBody,
  onReceiptError,
  receiptBodyOf,
} from '../../modification/operation-changes.ts'

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

export const receiptFaults = {
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
} as const satisfies Record<string, Fault>
