import { advised, implied, must, should, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const reads = 'Resources, Billing reads'
const usage = 'Endpoints, Operations catalog, GET /api/v1/billing/usage'
const remaining = 'Includes `credits.remaining`'
const allFour = 'All four require `billing_read`'
const reveal = 'They reveal no card details and change no plan'

export const billingClauses = {
  'BILL-USAGE': must(
    'A key with `billing_read` reads the usage and is answered 200 with JSON.',
    stated(usage, 'Usage read (needs `billing_read`)'),
  ),
  'BILL-USAGE-CREDITS': must('The usage has a number `credits.remaining`.', stated(usage, remaining)),
  'BILL-USAGE-AGREES': must(
    '`credits.remaining` follows the chat turns, and is never less than they left.',
    implied(usage, [remaining, quoted.creditsLeft]),
  ),
  'BILL-USAGE-SCOPE': must('The usage is refused to a key without `billing_read`.', stated(reads, allFour)),
  'BILL-SUBSCRIPTION': must(
    'The subscription shows its status and the name of its plan.',
    stated(reads, 'Subscription read exposes `status` and `plan.displayName`'),
  ),
  'BILL-PLANS': must('The plans can be listed.', stated(reads, 'Plans can be listed')),
  'BILL-INVOICES-LIMIT': should(
    'A list of invoices with a `limit` has no more than that many.',
    advised(reads),
  ),
  'BILL-READS-SCOPE': must(
    'Subscription, plans and invoices are refused to a key without `billing_read`.',
    stated(reads, allFour),
  ),
  'BILL-NO-CARD': must('No billing read shows details of a card.', stated(reads, reveal)),
  'BILL-NO-CHANGE': must('A billing read changes no plan.', stated(reads, reveal)),
} as const
