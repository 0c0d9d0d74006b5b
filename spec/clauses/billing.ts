import { must } from '../clause.ts'

const reads = 'Resources, Billing reads'
const usage = 'Endpoints, Operations catalog, GET /api/v1/billing/usage'
const implied = { basis: 'implied' } as const

export const billing = {
  'BILL-USAGE': must('A key with `billing_read` reads the usage and is answered 200 with JSON.', usage),
  'BILL-USAGE-CREDITS': must('The usage has a number `credits.remaining`.', usage),
  'BILL-USAGE-AGREES': must(
    '`credits.remaining` is what the latest chat turn said is left.',
    `${usage}; Resources, Chat success response, credits_remaining`,
    implied,
  ),
  'BILL-USAGE-SCOPE': must('The usage is refused to a key without `billing_read`.', reads),
  'BILL-SUBSCRIPTION': must('The subscription has `status` and `plan.displayName`.', reads),
  'BILL-PLANS': must('The plans can be listed.', reads),
  'BILL-INVOICES-LIMIT': must(
    'A list of invoices with a `limit` has no more than that many.',
    reads,
    implied,
  ),
  'BILL-READS-SCOPE': must(
    'Subscription, plans and invoices are refused to a key without `billing_read`.',
    reads,
  ),
  'BILL-NO-CARD': must('No billing read shows details of a card.', reads),
  'BILL-NO-CHANGE': must('A billing read changes no plan.', reads),
} as const
