import { must, should } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const reads = 'Resources, Billing reads'
const usage = 'Endpoints, Operations catalog, GET /api/v1/billing/usage'
const implied = { basis: 'implied' } as const
const remaining = 'Includes `credits.remaining`'
const allFour = 'All four require `billing_read`'
const reveal = 'They reveal no card details and change no plan'

export const billingClauses = {
  'BILL-USAGE': must(
    'A key with `billing_read` reads the usage and is answered 200 with JSON.',
    usage,
    'Usage read (needs `billing_read`)',
  ),
  'BILL-USAGE-CREDITS': must('The usage has a number `credits.remaining`.', usage, remaining),
  'BILL-USAGE-AGREES': must(
    '`credits.remaining` follows the chat turns, and is never less than they left.',
    usage,
    [remaining, quoted.creditsLeft],
    implied,
  ),
  'BILL-USAGE-SCOPE': must('The usage is refused to a key without `billing_read`.', reads, allFour),
  'BILL-SUBSCRIPTION': must(
    'The subscription shows its status and the name of its plan.',
    reads,
    'Subscription read exposes `status` and `plan.displayName`',
  ),
  'BILL-PLANS': must('The plans can be listed.', reads, 'Plans can be listed'),
  'BILL-INVOICES-LIMIT': should('A list of invoices with a `limit` has no more than that many.', reads, {
    basis: 'advised',
  }),
  'BILL-READS-SCOPE': must(
    'Subscription, plans and invoices are refused to a key without `billing_read`.',
    reads,
    allFour,
  ),
  'BILL-NO-CARD': must('No billing read shows details of a card.', reads, reveal),
  'BILL-NO-CHANGE': must('A billing read changes no plan.', reads, reveal),
} as const
