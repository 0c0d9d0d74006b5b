/** The billing reads. None of them shows a card, and none changes a plan. */
import type { Account } from '../../tenant/credits.ts'
import type { ApiKey } from '../../tenant/principals.ts'
import {
  completedOutcome,
  members,
  newest,
  readOperation,
  type Operation,
  type OperationContext,
} from '../operation.ts'

function accountOf({ accounts }: OperationContext, { account }: ApiKey): Account {
  const found = accounts.get(account)
  if (!found) throw new Error(`An API key belongs to the account ${account}, which is not there.`)
  return found
}

const billing = { scope: 'billing_read' } as const

export const billingOperations: readonly Operation[] = [
  readOperation({
    ...billing,
    id: 'billing.usage',
    title: 'Read the usage',
    description: 'The credits that are left.',
    route: { method: 'GET', path: '/api/v1/billing/usage', isServed: () => true },
    perform: (state, { apiKey }) => completedOutcome(state.rules.usage(accountOf(state, apiKey), state)),
  }),
  readOperation({
    ...billing,
    id: 'billing.subscription',
    title: 'Read the subscription',
    description: 'Its status, and the plan.',
    route: {
      method: 'GET',
      path: '/api/v1/billing/subscription',
      isServed: (rules) => rules.billingIsRouted,
    },
    perform: (state, { apiKey }) =>
      completedOutcome(state.rules.subscription(accountOf(state, apiKey), state)),
  }),
  readOperation({
    ...billing,
    id: 'billing.plans',
    title: 'List the plans',
    description: 'Every plan there is.',
    route: { method: 'GET', path: '/api/v1/billing/plans', isServed: (rules) => rules.billingIsRouted },
    perform: (state) => completedOutcome({ plans: state.rules.plans }),
  }),
  readOperation({
    ...billing,
    id: 'billing.invoices',
    title: 'List the invoices',
    description: 'The newest first, no more than `limit`.',
    input: (rules) => rules.invoiceInput,
    route: { method: 'GET', path: '/api/v1/billing/invoices', isServed: (rules) => rules.billingIsRouted },
    perform: (state, { apiKey, input }) => {
      const limit = typeof input['limit'] === 'number' ? input['limit'] : null
      return completedOutcome({ invoices: state.rules.invoices(accountOf(state, apiKey), limit, state) })
    },
  }),
  readOperation({
    id: 'audit_log.list',
    title: 'List what was done',
    description: 'Writes that were run, the newest first. For Enterprise, and for a trial.',
    plans: ['enterprise', 'trial'],
    input: members({ limit: { type: 'integer', minimum: 1, maximum: 100 } }, []),
    perform: (_tenantState, { data, input }) =>
      completedOutcome({ entries: newest(data.audit.values(), input['limit']), count: data.audit.count() }),
  }),
]
