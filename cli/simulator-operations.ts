/** What the simulator has to be operated on: fixtures of its catalogue, and the dialect that its interpretations speak. */
import type { Tenant } from '../simulator/index.ts'
import type { Dialect, Listing, UploadWay } from '../suites/config/dialect.ts'
import type { OperationFixture } from '../suites/config/target.ts'
import { fillTemplate } from '../suites/config/template.ts'

type Written = Omit<OperationFixture, 'name'>

const none = {}

/** The order matters: a scenario takes the first that fits it. */
const catalogue: Readonly<Record<string, Written>> = {
  notes: { id: 'notes.list', input: { limit: 1 }, receipt: 'completed' },
  note: {
    id: 'notes.create',
    input: { text: 'Call back {fresh}.', priority: 'normal' },
    fresh: ['/text'],
    receipt: 'completed',
    write: true,
    effect: { operation: 'notes', count: '/data/count' },
  },
  customers: { id: 'customers.list', input: { limit: 1 }, receipt: 'completed' },
  import: {
    id: 'customers.import',
    input: { customers: [{ name: 'Ida', email: '{fresh}@example.com' }] },
    fresh: ['/customers/0/email'],
    receipt: 'accepted',
    write: true,
    effect: { operation: 'customers', count: '/data/count' },
  },
  erasures: { id: 'customers.erasures', input: none, receipt: 'completed' },
  erase: {
    id: 'customers.erase',
    input: { customerId: 'cus_1001', reason: 'customer-asked', note: 'Asked for in {fresh}.' },
    fresh: ['/note'],
    receipt: 'pending_approval',
    write: true,
    effect: { operation: 'erasures', count: '/data/count' },
  },
  export: { id: 'orders.export', input: { format: 'csv' }, receipt: 'failed', write: true },
  refunds: { id: 'payments.list', input: none, receipt: 'completed' },
  refund: {
    id: 'payments.refund',
    input: { paymentId: 'pay_{fresh}', amountCents: 250, currency: 'EUR' },
    fresh: ['/paymentId'],
    receipt: 'failed',
    write: true,
    effect: { operation: 'refunds', count: '/data/count' },
  },
  inspect: { id: 'agent_setup.inspect', input: { agentId: '{{agentId}}' }, receipt: 'completed' },
  draft: {
    id: 'agent_design.draft',
    input: { agentId: '{{agentId}}', instructions: 'Be brief. {fresh}' },
    fresh: ['/instructions'],
    receipt: 'completed',
    write: true,
  },
  archive: { id: 'orders.archive', input: { before: '2029-01-01' }, receipt: 'accepted', write: true },
  report: {
    id: 'reports.build',
    input: { period: '2029-12' },
    receipt: 'accepted',
    write: true,
    doneWithinSeconds: 5,
  },
  calendar: {
    id: 'calendar.connect',
    input: { agentId: '{{agentId}}', provider: 'caldav' },
    receipt: 'accepted',
    write: true,
  },
  documents: { id: 'knowledge.list', input: { kind: 'document' }, receipt: 'completed' },
  sheets: { id: 'knowledge.list', input: { kind: 'spreadsheet' }, receipt: 'completed' },
}

/** Only where they have no route of their own: there they are not executed. */
const unrouted: Readonly<Record<Listing, Written>> = {
  agents: { id: 'agents.list', input: none, receipt: 'completed' },
  subscription: { id: 'billing.subscription', input: none, receipt: 'completed' },
  plans: { id: 'billing.plans', input: none, receipt: 'completed' },
  invoices: { id: 'billing.invoices', input: none, receipt: 'completed' },
}

export function simulatorOperations(tenant: Tenant): readonly OperationFixture[] {
  const routed = Object.values(operationsDialect(tenant).routes ?? {})
  const listings = Object.entries(unrouted).filter(([name]) => routed.includes(name))
  return fillTemplate(
    [...Object.entries(catalogue), ...listings].map(([name, written]) => ({ name, ...written })),
    { agentId: tenant.agents.plain },
  )
}

type Interpretations = Tenant['interpretations']

/** What each interpretation of a point makes of the dialect. */
const spoken = {
  'GAP-DISCOVERY-SHAPE': {
    operations: { discovery: { list: '/operations', id: '/id', schema: '/inputSchema' } },
    bare: { discovery: { list: '', id: '/operation_id', schema: '/input_schema' } },
  },
  'GAP-RECEIPT-SHAPE': {
    flat: { receipt: { taskId: '/task_id', approvalId: '/approval_id' } },
    nested: { receipt: { taskId: '/task/id', approvalId: '/approval/id' } },
  },
  'GAP-TASK-FIELDS': { result: { task: { state: '/state' } }, receipt: { task: { state: '/state' } } },
  'GAP-APPROVAL-FIELDS': {
    state: {
      approval: { state: '/state', pending: ['pending'], approved: ['approved'], rejected: ['rejected'] },
    },
    receipt: {
      approval: {
        state: '/status',
        pending: ['pending_approval'],
        approved: ['completed', 'accepted'],
        rejected: ['failed'],
      },
    },
  },
  'GAP-USAGE-SHAPE': {
    named: {},
    more: {},
    wrapped: {
      usage: { container: '/data' },
      subscription: { status: '/data/status', planName: '/data/plan/display_name' },
    },
  },
} as const satisfies { readonly [G in keyof Interpretations]?: Readonly<Record<Interpretations[G], Dialect>> }

const envelope = { input: '/input', bare: '' } as const satisfies Record<
  Interpretations['GAP-EXECUTION-BODY'],
  string
>

const keyPlace = {
  header: { keyHeader: 'Idempotency-Key' },
  body: { key: '/idempotency_key' },
} as const satisfies Record<Interpretations['GAP-OPERATION-KEY'], Dialect['execution']>

const billing = {
  routes: {
    subscription: '/api/v1/billing/subscription',
    plans: '/api/v1/billing/plans',
    invoices: '/api/v1/billing/invoices',
  },
  operations: { subscription: 'subscription', plans: 'plans', invoices: 'invoices' },
} as const

const agents = { operation: { agents: 'agents' }, route: { agents: '/api/v1/agents' } } as const

type Key = (typeof keyPlace)[Interpretations['GAP-OPERATION-KEY']]

const uploads: Readonly<
  Record<Interpretations['GAP-UPLOAD-ROUTES'], (folder: string, operation: string, key: Key) => UploadWay>
> = {
  // The bytes come with the second step.
  'two-steps': (folder, operation, key) => ({
    prepare: {
      path: `/api/v1/uploads/${folder}/prepare`,
      fileName: '/fileName',
      contentType: '/contentType',
      size: '/size',
      id: '/data/uploadId',
      ...key,
    },
    finalize: { path: `/api/v1/uploads/${folder}/finalize`, uploadId: '/uploadId', bytes: '/bytes', ...key },
    effect: { operation, count: '/data/count' },
  }),
  'one-step': (folder, operation) => ({
    finalize: {
      path: `/api/v1/uploads/${folder}`,
      members: { source: 'api' },
      fileName: '/fileName',
      contentType: '/contentType',
      bytes: '/bytes',
      otherKey: '/prepareKey',
      key: '/finalizeKey',
    },
    effect: { operation, count: '/data/count' },
  }),
}

export function operationsDialect({ interpretations }: Tenant): Dialect {
  const key = keyPlace[interpretations['GAP-OPERATION-KEY']]
  const upload = uploads[interpretations['GAP-UPLOAD-ROUTES']]
  const needsApproval = interpretations['GAP-DOCUMENT-APPROVAL'] === 'required'
  return {
    ...spoken['GAP-DISCOVERY-SHAPE'][interpretations['GAP-DISCOVERY-SHAPE']],
    ...spoken['GAP-RECEIPT-SHAPE'][interpretations['GAP-RECEIPT-SHAPE']],
    ...spoken['GAP-TASK-FIELDS'][interpretations['GAP-TASK-FIELDS']],
    ...spoken['GAP-APPROVAL-FIELDS'][interpretations['GAP-APPROVAL-FIELDS']],
    ...spoken['GAP-USAGE-SHAPE'][interpretations['GAP-USAGE-SHAPE']],
    execution: { input: envelope[interpretations['GAP-EXECUTION-BODY']], ...key },
    routes: {
      ...billing[interpretations['GAP-BILLING-ROUTES']],
      ...agents[interpretations['GAP-AGENT-LISTING']],
    },
    design: { draft: 'draft', live: '/data/live' },
    uploads: {
      document: {
        ...upload('documents', 'documents', key),
        lapsesAfterSeconds: 3_600,
        ...(needsApproval && { needsApproval }),
      },
      spreadsheet: upload('spreadsheets', 'sheets', key),
    },
  }
}
