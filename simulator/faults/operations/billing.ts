/** Billing reads that show too little or too much, to the wrong keys, or change what they show. */
import { isObject } from '../../json.ts'
import { asText, apiKeyOfCall } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import {
  onAnswer,
  onOperationBody,
  readOf,
  unguarded,
  permitting,
} from '../../modification/operation-changes.ts'

const usage = {
  'usage-as-text': fault({
    title: 'The usage is said to be plain text.',
    breaks: ['BILL-USAGE'],
    ...onAnswer(readOf('billing.usage'), (reply) => asText(reply, 'text/plain', JSON.stringify(reply.body))),
  }),
  'usage-flat': fault({
    title: 'The usage has `credits_remaining` in place of `credits.remaining`.',
    breaks: ['BILL-USAGE-CREDITS'],
    ...onOperationBody(readOf('billing.usage'), ({ credits = {} }) => ({
      credits_remaining: isObject(credits) ? (credits['remaining'] ?? null) : null,
    })),
  }),
  'usage-open': fault({
    title: 'A key without billing_read reads the usage.',
    breaks: ['BILL-USAGE-SCOPE'],
    rules: unguarded('scope', ({ id }) => id === 'billing.usage'),
  }),
} as const satisfies Record<string, Fault>

const reads = {
  'plan-by-another-name': fault({
    title: 'The plan of the subscription has a `label`.',
    breaks: ['BILL-SUBSCRIPTION'],
    ...onOperationBody(readOf('billing.subscription'), ({ plan = {}, ...body }) => ({
      ...body,
      plan: isObject(plan) ? { label: plan['displayName'] ?? '' } : plan,
    })),
  }),
  'plans-not-found': fault({
    title: 'The plans are not found.',
    breaks: ['BILL-PLANS'],
    ...onAnswer(readOf('billing.plans'), (reply) => ({ ...reply, status: 404 })),
  }),
  'invoice-limit-and-one': fault({
    title: 'A list of invoices has one more than its limit, as if to indicate that there are more.',
    breaks: ['BILL-INVOICES-LIMIT'],
    rules: (was) => ({
      invoices: (account, limit, state) => was.invoices(account, limit === null ? null : limit + 1, state),
    }),
  }),
  'subscription-open': fault({
    title: 'A key without billing_read reads the subscription.',
    breaks: ['BILL-READS-SCOPE'],
    rules: unguarded('scope', ({ id }) => id === 'billing.subscription'),
  }),
  'plans-open': fault({
    title: 'A key without billing_read lists the plans.',
    breaks: ['BILL-READS-SCOPE'],
    rules: unguarded('scope', ({ id }) => id === 'billing.plans'),
  }),
  'invoices-open': fault({
    title: 'A key without billing_read lists invoices.',
    breaks: ['BILL-READS-SCOPE'],
    rules: unguarded('scope', ({ id }) => id === 'billing.invoices'),
  }),
} as const satisfies Record<string, Fault>

const secrets = {
  'card-in-invoices': fault({
    title: 'An invoice shows the masked number of the card that paid it.',
    breaks: ['BILL-NO-CARD'],
    rules: (was) => ({
      invoices: (account, limit, state) =>
        was
          .invoices(account, limit, state)
          .map((invoice) => ({ ...invoice, paidWith: '**** **** **** 4242' })),
    }),
  }),
  'plan-changed-by-reading': fault({
    title: 'Listing invoices upgrades the plan.',
    breaks: ['BILL-NO-CHANGE'],
    rules: (was) => ({
      invoices(account, limit, context) {
        account.plan = account.plan === 'enterprise' ? 'business' : 'enterprise'
        return was.invoices(account, limit, context)
      },
    }),
  }),
} as const satisfies Record<string, Fault>

export const billingFaults = { ...usage, ...reads, ...secrets }

/** Leaves the scope out of account for the reads of keys that are restricted to one agent. */
const openToRestricted = permitting(({ agent }, { id }) => agent !== null && id.startsWith('billing.'))

export const billingAccountFaults = {
  'plan-chosen-by-listing': fault({
    title: 'Listing the plans chooses the first one, for whoever has the largest.',
    breaks: ['BILL-NO-CHANGE'],
    ...onAnswer(readOf('billing.plans'), (reply, call, state) => {
      const account = state.accounts.get(apiKeyOfCall(call, state)?.account ?? '')
      if (account?.plan === 'enterprise') account.plan = 'starter'
      return reply
    }),
  }),
  'billing-open-to-keys-of-one-agent': fault({
    title: 'Of a key for one agent only the agent is looked at, and not its scopes, in billing reads.',
    breaks: ['BILL-READS-SCOPE'],
    rules: openToRestricted,
  }),
} as const satisfies Record<string, Fault>
