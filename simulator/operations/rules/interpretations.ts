/** What the rules say under each interpretation of each gap of operations; the first interpretation of a gap is the default. */
import type { JsonObject } from '../../json.ts'
import { accountFixtures } from '../../tenant/fixtures.ts'
import { toCredits, shownCredits, type Account } from '../../tenant/credits.ts'
import { approvalInterpretations } from './approval-interpretations.ts'
import { displayName, invoicesOf, subscriptionStatusOf, subscriptionOf } from '../catalogue/billing-facts.ts'
import { members, type OperationContext } from '../operation.ts'
import type { DiscoveryRow, OperationInterpretations, OperationRules } from './rules.ts'
import { receiptInterpretations } from './receipt-interpretations.ts'
import { uploadIds } from '../uploads/rows.ts'
import { uploadInterpretations } from '../uploads/uploads.ts'

function facts({ operation, route }: DiscoveryRow): JsonObject {
  const { title, description, kind, destructive, approval } = operation
  return { title, description, kind, destructive, approval, ...(route !== null && { route }) }
}

const isHeld: OperationRules['isHeld'] = ({ approval }) => approval

const limited = (limit: JsonObject): JsonObject =>
  members({ limit: { type: 'integer', minimum: 1, ...limit } }, [])

/** What the balance was at the beginning, less what is left. */
function creditsUsed({ name, balance }: Account): number {
  const began = Object.hasOwn(accountFixtures, name)
    ? accountFixtures[name as keyof typeof accountFixtures].credits
    : 0
  return shownCredits(Math.max(0, toCredits(began) - balance))
}

function period({ clock }: OperationContext): JsonObject {
  const now = new Date(clock.date())
  const month = (more: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more, 1)).toISOString()
  return { from: month(0), to: month(1) }
}

const invoices: OperationRules['invoices'] = (account, limit, state) =>
  invoicesOf(account, state).slice(0, limit ?? Infinity)

export const operationInterpretations: OperationInterpretations = {
  ...receiptInterpretations,
  ...approvalInterpretations,
  ...uploadInterpretations,
  'GAP-DISCOVERY-SHAPE': {
    operations: {
      discovery: (rows) => ({
        operations: rows.map((row) => ({ id: row.operation.id, ...facts(row), inputSchema: row.schema })),
      }),
    },
    bare: {
      discovery: (rows) =>
        rows.map((row) => ({ operation_id: row.operation.id, ...facts(row), input_schema: row.schema })),
    },
  },
  'GAP-EXECUTION-BODY': {
    input: { executionInput: ({ input }) => input },
    bare: { executionInput: (body) => body },
  },
  'GAP-OPERATION-KEY': { header: { keyPlace: 'header' }, body: { keyPlace: 'body' } },
  'GAP-OPERATION-KEY-REQUIRED': { required: { keyIsRequired: true }, optional: { keyIsRequired: false } },
  'GAP-OPERATION-CONFLICT': { refuse: { usedKey: 'refuse' }, replay: { usedKey: 'replay' } },
  'GAP-BILLING-ROUTES': { routes: { billingIsRouted: true }, operations: { billingIsRouted: false } },
  'GAP-AGENT-LISTING': { operation: { agentsAreRouted: false }, route: { agentsAreRouted: true } },
  'GAP-USAGE-SHAPE': {
    named: {
      usage: (account, { rules }) => ({ credits: { remaining: rules.creditsLeft(account) } }),
      subscription: subscriptionOf,
    },
    more: {
      usage: (account, state) => ({
        period: period(state),
        credits: { remaining: state.rules.creditsLeft(account), used: creditsUsed(account) },
      }),
      subscription: (account) => ({ id: `sub_${account.id.slice(-8)}`, ...subscriptionOf(account) }),
    },
    wrapped: {
      usage: (account, { rules }) => ({ data: { credits: { remaining: rules.creditsLeft(account) } } }),
      subscription: (account) => ({
        data: { status: subscriptionStatusOf(account), plan: { display_name: displayName(account.plan) } },
      }),
    },
  },
  'GAP-INVOICE-LIMIT': {
    hundred: { invoiceInput: limited({ maximum: 100 }), invoices },
    clamp: {
      invoiceInput: limited({}),
      invoices: (account, limit, state) =>
        invoices(account, limit === null ? null : Math.min(limit, 100), state),
    },
  },
  'GAP-DOCUMENT-APPROVAL': {
    required: { isHeld },
    none: { isHeld: (operation) => isHeld(operation) && operation.id !== uploadIds.document },
  },
  'GAP-OTHER-RATES': { none: { otherRates: 'none' }, same: { otherRates: 'same' } },
}
