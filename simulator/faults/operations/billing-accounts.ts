/** Billing reads that are wrong for some accounts, keys or turns, and right for the others. */
import { apiKeyOfCall } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { onAnswer, permitting, readOf } from '../../modification/operation-changes.ts'

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
