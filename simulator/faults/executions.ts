/** Writes of operations that run wrongly, or more than once. */
import { type Reply, jsonReply } from '../edge/reply.ts'
import type { Json, JsonObject } from '../json.ts'
import { asRefusal, sentBody, withoutMembers } from '../modification/changes.ts'
import { type Fault, type TenantHooks, fault } from '../modification/modification.ts'
import {
  forgiving,
  fussy,
  hasFailed,
  onAnswer,
  onOperationBody,
  onReceiptError,
  permitting,
  receiptBodyOf,
} from '../modification/operation-changes.ts'
import { approvalState, decide } from '../operations/approvals.ts'
import { uploadIds } from '../operations/uploads/rows.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import type { Approval } from '../tenant/operations/store.ts'

const inspection = 'agent_setup.inspect'

/** Changes the error of a receipt whose approval was rejected. */
function onRejected(change: (error: JsonObject) => Json): TenantHooks {
  return onReceiptError(hasFailed, (error) => (error['code'] === 'APPROVAL_REJECTED' ? change(error) : error))
}

/** One that the owner did not decide yet, and no upload, whose keys have clauses of their own. */
function isErasure(approval: Approval | undefined): boolean {
  return approval?.decision === null && approval.operation.id === 'customers.erase'
}

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

export const executionFaults = {
  'receipt-is-its-data': fault({
    title: 'A completed execution is answered with its result alone.',
    breaks: ['EXEC-RECEIPT', 'RCPT-STATUS'],
    ...onOperationBody(receiptBodyOf('notes.create', 'completed'), ({ data = null }) => data),
  }),
  'receipt-in-a-list': fault({
    title: 'The receipt of a read comes in a list.',
    breaks: ['EXEC-RECEIPT', 'RCPT-STATUS'],
    ...onOperationBody(receiptBodyOf('notes.list'), (body) => [body]),
  }),
  'listed-read-not-executed': fault({
    title: 'A read of the list is not found where operations are executed.',
    breaks: ['EXEC-LISTED'],
    ...onAnswer(receiptBodyOf('customers.list'), (reply, _call, state) => ({
      ...asRefusal('AGENT_NOT_FOUND', reply, state),
      status: 404,
    })),
  }),
  'operation-by-the-end-of-its-id': fault({
    title: 'Of an operation id only the end is looked at.',
    breaks: ['EXEC-UNKNOWN'],
    ...onAnswer(
      ({ operation, operationId = '' }, { status }) =>
        operation === 'execute' && status === 404 && operationId.endsWith('.notes.list'),
      ({ about }) => jsonReply(200, { status: 'completed', data: { notes: [], count: 0 } }, about),
    ),
  }),
  'upper-bound-refused': fault({
    title: 'A number at its upper bound is refused.',
    breaks: ['EXEC-INPUT'],
    rules: fussy('notes.list', ({ limit }) => limit === 100),
  }),
  'one-choice-refused': fault({
    title: 'One of the values that may be chosen is refused.',
    breaks: ['EXEC-INPUT'],
    rules: fussy('notes.create', ({ priority }) => priority === 'low'),
  }),
  'input-unchecked': fault({
    title: 'Any input is taken.',
    breaks: ['EXEC-INPUT-INVALID'],
    rules: forgiving(/./, 'notes.list', 'notes.create', 'agent_design.draft'),
  }),
  'pattern-unanchored': fault({
    title: 'A text is taken that has what its pattern asks for somewhere in it.',
    breaks: ['EXEC-INPUT-INVALID'],
    rules: forgiving(/^input\/tags\/\d+ must match pattern/, 'notes.create'),
  }),
  'inspection-takes-another-name': fault({
    title: 'The inspection does not know `agentId`.',
    breaks: ['EXEC-INSPECT-AGENT'],
    rules: fussy(inspection, ({ agentId }) => agentId !== undefined),
  }),
  'inspection-of-any-agent': fault({
    title: 'Without `agentId` the inspection takes some agent.',
    breaks: ['EXEC-INSPECT-AGENT-REQUIRED'],
    rules: (rules, state) => ({
      ...forgiving(/required property 'agentId'/, inspection)(rules, state),
      performs: (operation, job, at) =>
        rules.performs(
          operation,
          operation.id === inspection && job.agent === null
            ? { ...job, agent: rules.reachableAgents(job.apiKey, at)[0] ?? null }
            : job,
          at,
        ),
    }),
  }),
  'done-again-a-second-later': fault({
    title: 'A note that is sent again is answered with its first receipt, and written again a second later.',
    breaks: ['EXEC-RETRY-ONE-RUN', 'EXEC-RETRY-RACE'],
    remember: (state) => {
      const known = new Set<string>()
      const writeLater = (account: string): void => {
        state.clock.after(1_000, 'a retry that is carried out', () => {
          state.operations.dataOf(account).notes.add({ text: 'Once more.' })
        })
      }
      return {
        reply: (reply) => {
          const { operationId, receipt, key, account = '' } = reply.about
          if (operationId !== 'notes.create' || receipt !== 'completed' || key === undefined) return reply
          if (known.has(key)) writeLater(account)
          known.add(key)
          return reply
        },
      }
    },
  }),
  'accepted-begun-again': fault({
    title: 'An import that is sent again with its key is begun again, as another task.',
    breaks: ['EXEC-RETRY-ONE-RUN'],
    rules: (was, state) => ({
      runsAgain: (receipt) =>
        was.runsAgain(receipt) ||
        (receipt.status === 'accepted' &&
          state.operations.tasks.get(receipt.taskId)?.operation === 'customers.import'),
    }),
  }),
  'held-anew': fault({
    title: 'An erasure that waits for the owner is held once more when it is sent again with its key.',
    breaks: ['EXEC-RETRY-ONE-RUN'],
    rules: (was, state) => ({
      runsAgain: (receipt) =>
        was.runsAgain(receipt) ||
        (receipt.status === 'pending_approval' &&
          isErasure(state.operations.approvals.get(receipt.approvalId))),
    }),
  }),
  'rejected-in-words': fault({
    title: 'What the owner rejected says so in words alone.',
    breaks: ['RCPT-FAILED-CODE', 'RCPT-FAILED-RESOLUTION'],
    ...onRejected(() => 'The owner rejected it.'),
  }),
  'draft-counts-as-version': fault({
    title: 'A draft raises the version of the live design.',
    breaks: ['EXEC-DRAFT'],
    rules: (was) => ({
      liveDesign: (agent, draft) => ({ ...was.liveDesign(agent, draft), version: draft ? 2 : 1 }),
    }),
  }),
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
  'allowed-document-open-to-all': fault({
    title: 'Once the owner allowed a document, the scope of whoever sends it is not looked at.',
    breaks: ['UPL-SCOPE'],
    rules: (was, state) =>
      permitting((_apiKey, { id }) => id === uploadIds.document && hasAllowed(state))(was),
  }),
} as const satisfies Record<string, Fault>
