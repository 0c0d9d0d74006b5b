/** The simulator as a target of the suite: it has every principal, brings about every state, allows everything. */
import { withTargets } from '../simulator/webhooks/guard/addresses.ts'
import { randomInt } from 'node:crypto'
import { limits, states } from '../spec/index.ts'
import { recallFixture, type Simulator, type Tenant } from '../simulator/index.ts'
import { undeclared } from '../suites/config/defaults.ts'
import type { Dialect } from '../suites/config/dialect.ts'
import type { Principal, Target } from '../suites/config/target.ts'
import { vendorStated } from '../suites/config/sections/service.ts'
import { sessionHeader } from './simulate/greeting.ts'
import { operationsDialect, simulatorOperations } from './simulator-operations.ts'

/** Names of the rate-limit headers, by the interpretation that the simulator was switched to. */
const rateHeaders = {
  'x-ratelimit': ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ratelimit: ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  'x-rate-limit': ['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset'],
} as const satisfies Record<Tenant['interpretations']['GAP-RATE-HEADERS'], readonly string[]>

const logEntry = (event: string, status: string, time: string, retries: string) => ({
  event: `/${event}`,
  timestamp: '/timestamp',
  status: `/${status}`,
  time: `/${time}`,
  success: '/success',
  retries: `/${retries}`,
})
const logEntries: Record<Tenant['interpretations']['GAP-LOG-FIELDS'], Dialect['log']> = {
  snake: logEntry('event_type', 'status_code', 'response_time_ms', 'retry_count'),
  camel: logEntry('eventType', 'statusCode', 'responseTimeMs', 'retryCount'),
}
const logList = { logs: '/logs', bare: '' } as const satisfies Record<
  Tenant['interpretations']['GAP-LOG-LIST'],
  string
>

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

/** The same with nothing said of where anything stands about operations: what can be searched has to be found. */
export function withoutOperationsDialect(target: Target): Target {
  const { rateHeaders, log } = target.dialect
  return { ...target, dialect: { ...(rateHeaders && { rateHeaders }), ...(log && { log }) } }
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
