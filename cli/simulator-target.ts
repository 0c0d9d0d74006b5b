/** The simulator as a target of the suite: it has every principal, brings about every state, allows everything. */
import { skippingTime } from '../simulator/clock/clock.ts'
import { withTargets } from '../simulator/webhooks/guard/addresses.ts'
import { randomInt } from 'node:crypto'
import { limits, states } from '../spec/index.ts'
import { recallFixture, type Simulator, type Tenant } from '../simulator/index.ts'
import { undeclared } from '../suites/config/defaults.ts'
import type { Dialect, Listing, UploadWay } from '../suites/config/dialect.ts'
import type { OperationFixture, Principal, Target } from '../suites/config/target.ts'
import { fillTemplate } from '../suites/config/template.ts'
import { realClock } from '../suites/wire/clock.ts'
import { vendorStated } from '../suites/config/sections/service.ts'
import { sessionHeader } from './simulate/greeting.ts'

type Interpretations = Tenant['interpretations']

/** Names of the rate-limit headers, by the interpretation that the simulator was switched to. */
const rateHeaders = {
  'x-ratelimit': ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ratelimit: ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  'x-rate-limit': ['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset'],
} as const satisfies Record<Interpretations['GAP-RATE-HEADERS'], readonly string[]>

const logEntry = (event: string, status: string, time: string, retries: string) => ({
  event: `/${event}`,
  timestamp: '/timestamp',
  status: `/${status}`,
  time: `/${time}`,
  success: '/success',
  retries: `/${retries}`,
})
const logEntries: Record<Interpretations['GAP-LOG-FIELDS'], Dialect['log']> = {
  snake: logEntry('event_type', 'status_code', 'response_time_ms', 'retry_count'),
  camel: logEntry('eventType', 'statusCode', 'responseTimeMs', 'retryCount'),
}
const logList = { logs: '/logs', bare: '' } as const satisfies Record<Interpretations['GAP-LOG-LIST'], string>

/** Roles of the API keys that take part, in the order in which the suite looks for one that fits. */
const roles = [
  'main',
  'second',
  'noChat',
  'noBilling',
  'oneAgent',
  'sacrificial',
  'other',
  'revoked',
  'noScope',
  'billingOnly',
  'agentsOnly',
  'uploadsOnly',
  'designOnly',
  'visitor',
  'broke',
] as const
type Role = (typeof roles)[number]

/** For a run in the process of the simulator: both have the same time, in which nothing is waited for. */
export function skippingClock() {
  const machine = skippingTime()
  return { machine, clock: realClock(machine) }
}

/** The tenant of `tenant` (default: the one the simulator starts with), seen from outside over HTTP. */
export function simulatorTarget(simulator: Simulator, tenant: Tenant = simulator.tenant): Target {
  const { interpretations } = tenant
  return {
    ...undeclared,
    name: 'simulator',
    kind: 'simulator',
    ...vendorStated(tenant.vendor, tenant.identifiers),
    baseUrl: simulator.url,
    replicas: simulator.replicas,
    principals: roles.map((role) => principal(tenant, role)),
    session: { headers: [sessionHeader(tenant)] },
    receiver: {
      ...undeclared.receiver,
      mode: 'loopback',
      development: interpretations['GAP-DEVELOPMENT'] === 'always',
      allowed: tenant.state.rules.guard.allow.includes('localhost'),
      privateNames,
      resolver: resolverOf(tenant),
    },
    ...legacyOf(tenant),
    agents: { plain: tenant.agents.plain, second: tenant.agents.second },
    fixtures: {
      ...undeclared.fixtures,
      recall: { agent: tenant.agents.plain, ...recallFixture },
      operations: simulatorOperations(tenant),
    },
    states: Object.fromEntries(Object.keys(states).map((id) => [id, { provide: 'control' }])),
    control: { url: `${simulator.url}/_sim/v1/tenants/${tenant.id}`, token: null },
    dialect: {
      rateHeaders: rateHeaders[interpretations['GAP-RATE-HEADERS']],
      ...operationsDialect(tenant),
      log: {
        entries: logList[interpretations['GAP-LOG-LIST']],
        ...logEntries[interpretations['GAP-LOG-FIELDS']],
      },
    },
    budgets: {
      requests: 20_000,
      turns: 20_000,
      credits: 100_000,
      wallSeconds: 300,
      requestsPerMinute: limits.chatRequestsPerMinute,
    },
    optIn: ['slow', 'costly', 'destructive', 'writes'],
    exclusiveCredits: true,
    timing: { clock: 'control', answerTimeoutMs: 5_000 },
  }
}

function legacyOf({ interpretations, agents, olderKeys }: Tenant): Pick<Target, 'features' | 'legacy'> {
  const { features } = undeclared
  if (interpretations['GAP-OLDER-SERVED'] !== 'yes') return { features, legacy: null }
  const keys = (['plain', 'second'] as const).map((name) => ({
    name,
    agent: agents[name],
    bearer: olderKeys[name],
  }))
  return { features: { ...features, legacy: 'supported' }, legacy: { keys } }
}

/** Names that the guard of the simulator knows the addresses of. */
const privateNames = ['private.example', 'loopback.example']

/** A public address that is assigned to no network: what is sent there arrives nowhere. */
const unassigned = '3000::1'

/**
 * Names whose address changes: the guard of this tenant asks the name server of the run for them, from now on; where it
 * asks one for the zone already, that is where the run has to listen.
 */
function resolverOf({ state: { rules } }: Tenant): Target['receiver']['resolver'] {
  const zone = 'moving.example'
  const listen = rules.guard.zones?.[zone] ?? ownAddress()
  rules.guard = withTargets(rules.guard, { zones: { [zone]: listen } })
  return { listen, zone, first: unassigned, later: '127.0.0.1', rebinding: true, certificate: null }
}

function principal({ keys, agents, state }: Tenant, role: Role): Principal {
  const key = [...state.apiKeys.values()].find(({ name }) => name === role)
  return {
    name: role,
    bearer: keys[role],
    scopes: key?.scopes ?? [],
    agents:
      role === 'oneAgent' || role === 'visitor' ? [agents.second] : role === 'other' ? [agents.foreign] : '*',
    account: key?.account ?? role,
    sacrificial: role === 'sacrificial',
    ...(role === 'revoked' && { revoked: true }),
  }
}

/** Separates parallel runs on one machine: on Linux all of 127.0.0.0/8 is loopback. */
export function ownAddress(): string {
  const part = (): number => randomInt(1, 255)
  const host = process.platform === 'linux' ? `127.${part()}.${part()}.${part()}` : '127.0.0.1'
  return `${host}:${randomInt(20_000, 32_768)}`
}

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

function simulatorOperations(tenant: Tenant): readonly OperationFixture[] {
  const routed = Object.values(operationsDialect(tenant).routes ?? {})
  const listings = Object.entries(unrouted).filter(([name]) => routed.includes(name))
  return fillTemplate(
    [...Object.entries(catalogue), ...listings].map(([name, written]) => ({ name, ...written })),
    { agentId: tenant.agents.plain },
  )
}

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

function operationsDialect({ interpretations }: Tenant): Dialect {
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
