/** Billing reads that are wrong for some accounts, keys or turns, and right for the others. */
import { isObject } from '../../json.ts'
import { displayName } from '../../operations/catalogue/billing-facts.ts'
import { withoutMembers } from '../../modification/changes.ts'
import { apiKeyOfCall } from '../../modification/asked.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { onAnswer, permitting, readOf } from '../../modification/operation-changes.ts'

/** Leaves the scope out of account for the reads of keys that are restricted to one agent. */
const openToRestricted = permitting(({ agent }, { id }) => agent !== null && id.startsWith('billing.'))

export const billingAccountFaults = {
  'usage-hides-zero': fault({
    title: 'The usage of an account without credits does not say how many are left.',
    breaks: ['BILL-USAGE-CREDITS'],
    rules: (was) => ({
      usage: (account, state) =>
        was.creditsLeft(account) === 0 ? { credits: {} } : was.usage(account, state),
    }),
  }),
  'usage-counts-replays': fault({
    title: 'The usage counts a turn once more each time that it is replayed.',
    breaks: ['BILL-USAGE-AGREES'],
    remember: () => {
      let replays = 0
      return {
        reply(reply) {
          if (reply.about.replay) replays++
          const isUsage = reply.kind === 'json' && reply.about.operationId === 'billing.usage'
          if (!isUsage || reply.status !== 200 || !isObject(reply.body)) return reply
          const { credits } = reply.body
          if (!isObject(credits) || typeof credits['remaining'] !== 'number') return reply
          const remaining = credits['remaining'] - replays
          return { ...reply, body: { ...reply.body, credits: { ...credits, remaining } } }
        },
      }
    },
  }),
  'plan-of-enterprise-nameless': fault({
    title: 'The subscription of one plan does not name it.',
    breaks: ['BILL-SUBSCRIPTION'],
    ...onAnswer(readOf('billing.subscription'), (reply) => {
      const plan = isObject(reply.body) ? reply.body['plan'] : null
      const isNamed = isObject(plan) && plan['displayName'] === displayName('enterprise')
      return isNamed && isObject(reply.body)
        ? { ...reply, body: { ...reply.body, plan: withoutMembers(plan, 'displayName') } }
        : reply
    }),
  }),
  'card-of-who-cannot-pay': fault({
    title: 'The subscription of an account without credits shows the card that could not be charged.',
    breaks: ['BILL-NO-CARD'],
    rules: (was) => ({
      subscription: (account, state) => ({
        ...was.subscription(account, state),
        ...(account.balance === 0 ? { declined: { card: { last4: '4242' } } } : {}),
      }),
    }),
  }),
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
