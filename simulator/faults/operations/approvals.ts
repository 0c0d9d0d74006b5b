/** Approvals that cannot be read, show nothing of the decision, or do not decide. */
import type { Approval } from '../../tenant/operations/store.ts'
import { jsonReply, type JsonReply, type Reply, type Call } from '../../edge/reply.ts'
import { approvalState } from '../../operations/approvals.ts'
import { runOperation } from '../../operations/tasks.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { asText, apiKeyOfCall } from '../../modification/changes.ts'
import { fault, type Fault, type TenantHooks } from '../../modification/modification.ts'

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

const work = {
  'held-runs-at-once': fault({
    title:
      'A held operation waits with its answer and not with its work, which is done once more when it is approved.',
    breaks: ['APPR-HELD', 'UPL-DOCUMENT-HELD', 'UPL-DOCUMENT-PROCEEDS'],
    rules: (rules) => ({ worksOn: (moment) => moment === 'held' || rules.worksOn(moment) }),
  }),
  'held-runs-before': fault({
    title: 'A held operation is done when it is asked for, and its approval changes nothing.',
    breaks: ['APPR-HELD', 'APPR-APPROVED', 'UPL-DOCUMENT-HELD', 'UPL-DOCUMENT-PROCEEDS'],
    rules: () => ({ worksOn: (moment) => moment === 'held' }),
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
} as const satisfies Record<string, Fault>

const shown = {
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
} as const satisfies Record<string, Fault>

export const approvalFaults = { ...work, ...shown }
