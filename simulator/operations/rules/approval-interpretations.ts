/** What approvals look like, how long they live and what sets them going, under each interpretation. */
import type { OperationInterpretations, OperationTenant } from './rules.ts'
import { type Approval } from '../store.ts'
import { approvalState, receiptOfApproval } from '../approvals.ts'
import type { RunReceipt } from '../receipt.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Once the owner approved, the approval itself is done, also where the work waits for the request to come again. */
function decided(state: OperationTenant, approval: Approval): RunReceipt {
  const receipt = receiptOfApproval(state, approval)
  return receipt.status === 'pending_approval' && approvalState(state, approval) === 'approved'
    ? {
        status: 'completed',
        data: { decision: 'approved', next: 'Send the same request again with the same key.' },
      }
    : receipt
}

export const approvalInterpretations = {
  'GAP-APPROVAL-FIELDS': {
    state: {
      approvalBody: (approval, tenantState) => {
        const state = approvalState(tenantState, approval)
        const { rules } = tenantState
        return {
          id: approval.id,
          state,
          ...(state !== 'pending' && { receipt: rules.receiptBody(decided(tenantState, approval)) }),
        }
      },
    },
    receipt: {
      approvalBody: (approval, state) => ({
        ...state.rules.receiptBody(decided(state, approval)),
        approval_id: approval.id,
      }),
    },
  },
  'GAP-APPROVAL-STATES': {
    three: { approvalLifeMs: Infinity },
    lapsing: { approvalLifeMs: dayMs },
  },
  'GAP-APPROVAL-CONTINUES': {
    itself: { approvedRunsItself: true },
    again: { approvedRunsItself: false },
  },
} satisfies Partial<OperationInterpretations>
