import { must } from '../clause.ts'

const read = 'Endpoints, Operations catalog, GET /api/v1/approvals/{approvalId}'
const decision = 'States and transitions, Receipt pending_approval'
const held = { observe: 'state' } as const
const implied = { basis: 'implied', observe: 'state' } as const

export const approvals = {
  'APPR-READ': must('The approval of a held receipt is answered 200 with JSON.', read, held),
  'APPR-HELD': must('Before the owner decides, the held operation has no effect.', decision, implied),
  'APPR-APPROVED': must('Once the owner approves, the work continues.', decision, {
    state: 'approval.approved',
  }),
  'APPR-REJECTED': must('Once the owner rejects, the work stops and has no effect.', decision, {
    state: 'approval.rejected',
  }),
  'APPR-DECISION-SHOWN': must('What the owner decided shows in the approval.', decision, implied),
  'APPR-CONFIRM': must(
    'A destructive operation confirmed at the command line still waits for approval on the server.',
    'Endpoints, Client behaviour, --confirm',
    held,
  ),
  'APPR-UNKNOWN': must('An approval that does not exist is not answered as one.', read, { basis: 'implied' }),
} as const
