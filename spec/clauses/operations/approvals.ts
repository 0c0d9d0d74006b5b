import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const read = 'Endpoints, Operations catalog, GET /api/v1/approvals/{approvalId}'
const decision = 'States and transitions, Receipt pending_approval'
const held = { observe: 'state' } as const
const reads = 'Reads an approval receipt'
const owner = 'owner approves or rejects | owner action | work continues or stops'

export const approvalsClauses = {
  'APPR-READ': must('The approval of a held receipt is answered 200 with JSON.', stated(read, reads, held)),
  'APPR-HELD': must(
    'Before the owner decides, the held operation has no effect, and no receipt says that it is completed.',
    implied(decision, [owner, quoted.waitsForOwner], held),
  ),
  'APPR-APPROVED': must(
    'Once the owner approves, the work continues.',
    stated(decision, owner, { state: 'approval.approved' }),
  ),
  'APPR-REJECTED': must(
    'Once the owner rejects, the work stops and has no effect.',
    stated(decision, owner, { state: 'approval.rejected' }),
  ),
  'APPR-DECISION-SHOWN': must(
    'What the owner decided shows in the approval.',
    implied(decision, [owner, 'client reads the approval receipt'], held),
  ),
  'APPR-CONFIRM': must(
    'A destructive operation confirmed at the command line still waits for approval on the server.',
    stated(
      'Endpoints, Client behaviour, --confirm',
      'local acknowledgement of a destructive command; server approval still applies',
      held,
    ),
  ),
  'APPR-UNKNOWN': must('An approval that does not exist is not answered as one.', implied(read, reads)),
} as const
