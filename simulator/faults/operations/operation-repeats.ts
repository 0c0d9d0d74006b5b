/** Operations that are answered well once, and not when they come again, or beside another. */
import type { Json } from '../../json.ts'
import type { Reply } from '../../edge/reply.ts'
import { approvalState, decide } from '../../operations/approvals.ts'
import { runOperation } from '../../operations/tasks.ts'
import { uploadIds } from '../../operations/uploads/rows.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { sentBody, withoutMembers } from '../../modification/changes.ts'
import { fault, type Fault, type TenantHooks } from '../../modification/modification.ts'
import { onAnswer, onOperationBody, permitting, receiptBodyOf } from '../../modification/operation-changes.ts'

/** Changes what the key of an execution is answered with from the second time on. */
function onAgain(
  id: string,
  status: string,
  change: (body: Readonly<Record<string, Json>>) => Json,
): TenantHooks {
  const keys = new Set<string>()
  const isAgain = ({ key = '' }: Reply['about']): boolean => keys.has(key) || !keys.add(key)
  const isOf = receiptBodyOf(id, status)
  return onOperationBody((about, reply, call) => isOf(about, reply, call) && isAgain(about), change)
}

/** Whether the owner allowed a document before. */
function hasAllowed(state: TenantState): boolean {
  return [...state.operations.approvals.values()].some(
    (approval) =>
      approval.operation.id === uploadIds.document && approvalState(state, approval) === 'approved',
  )
}

export const operationRepeatFaults = {
  'result-returned-once': fault({
    title: 'A note that is sent again is completed with null for its result.',
    breaks: ['RCPT-COMPLETED-DATA'],
    remember: () => onAgain('notes.create', 'completed', (body) => ({ ...body, data: null })),
  }),
  'result-of-one-read-left-out': fault({
    title: 'Of several reads one is completed without a result.',
    breaks: ['RCPT-COMPLETED-DATA'],
    ...onOperationBody(receiptBodyOf('knowledge.list', 'completed'), (body) => withoutMembers(body, 'data')),
  }),
  'confirmed-is-approved': fault({
    title: 'Whoever sends `confirm` beside the input of an erasure has approved it.',
    breaks: ['APPR-CONFIRM'],
    ...onAnswer(receiptBodyOf('customers.erase', 'pending_approval'), (reply, call, state) => {
      if (sentBody(call)['confirm'] !== true) return reply
      const approval = [...state.operations.approvals.values()].at(-1)
      if (approval) decide(state, approval, 'approved')
      return { ...reply, status: 200, body: { status: 'completed', data: { erased: true } } }
    }),
  }),
  'rejected-runs-if-sent-again-before': fault({
    title: 'What was sent again before the owner rejected it is done all the same.',
    breaks: ['APPR-REJECTED'],
    remember: () => {
      const answered = new Set<string>()
      const queued = new Set<string>()
      return {
        reply(reply, call, state) {
          const { key = '', operationId, receipt } = reply.about
          if (operationId !== 'customers.erase') return reply
          if (receipt === 'pending_approval') (answered.has(key) ? queued : answered).add(key)
          if (receipt !== 'failed' || !queued.delete(key)) return reply
          const approval = [...state.operations.approvals.values()].findLast(
            ({ decision }) => decision === 'rejected',
          )
          if (approval) runOperation(state, approval.operation, approval.job, call.connection)
          return reply
        },
      }
    },
  }),
  'allowed-document-open-to-all': fault({
    title: 'Once the owner allowed a document, the scope of whoever sends it is not looked at.',
    breaks: ['UPL-SCOPE'],
    rules: (was, state) =>
      permitting((_apiKey, { id }) => id === uploadIds.document && hasAllowed(state))(was),
  }),
} as const satisfies Record<string, Fault>
