/** The control plane: everything under `/_sim/v1`, and its documents, described by spec/control.yaml. No verdict depends on it. */
import { type Call, jsonReply, type Reply, safeHeaders } from '../edge/reply.ts'
import type { ServerRoute } from '../route.ts'
import { limitsWith, type SimulatorLimits } from '../limits.ts'
import type { Tenant } from '../tenant-handle.ts'
import {
  type ControlResponse,
  type ControlHost,
  type ControlStream,
  type ControlText,
  createdResponse,
  ok,
  controlError,
  failureRoutes,
  type TenantRoutes,
} from './answer.ts'
import { deliveryRoutes } from './deliveries.ts'
import { contentRoutes } from './contents/webhooks.ts'
import { snapshotRoutes } from './snapshots.ts'
import { journalRoutes } from './journal/read.ts'
import { catalogues, barrierState } from './describe.ts'
import { admitControl, tokenProblem, ControlRefusal } from './guard.ts'
import { followJournal } from './journal/follow.ts'
import { loadSchemas, validBody, queryOf, timeoutOf, wholeNumberOf } from './request.ts'
import { createTenantRoute, deleteTenant, listTenants, tenantRoutes as ofTenants } from './tenants.ts'
import type { Barrier, BarrierPoint } from '../clock/barriers.ts'
import { afterRealTime } from '../clock/machine-time.ts'
import { proveRoom } from './room.ts'
import { suggestion } from '../../spec/nearest.ts'
import type { JsonObject } from '../json.ts'
import { shownCredits } from '../tenant/conversations.ts'
import { type JournalEntry, responseText } from '../tenant/journal/entry.ts'
import { isRunning, type KeyRecord } from '../tenant/keys.ts'
import { withoutWholeKeys } from '../tenant/redacted.ts'
import { isoTime } from './journal/entry-state.ts'
import { requestFacts } from './journal/facts.ts'
import { replyRuleFixtures } from '../tenant/fixtures.ts'
import { placeOfOutage } from '../tenant/rate.ts'
import { renameIdentifiers } from '../../spec/rename-identifiers.ts'
import { isSituationName, situationNames } from '../situations/situations.ts'

type Load = () => Promise<{ default: object }>

/** Loaded when somebody asks: few do, and each is large. */
const documents: Readonly<Record<string, Load>> = {
  'openapi.json': () => import('../../spec/bundled/openapi.json', { with: { type: 'json' } }),
  'asyncapi.json': () => import('../../spec/bundled/asyncapi.json', { with: { type: 'json' } }),
  'control.json': () => import('../../spec/bundled/control.json', { with: { type: 'json' } }),
}

/** Relative, so that whoever imports the document sends requests to where it came from. */
const servers = [{ url: '/', description: 'The server that this document was read from.' }]

const readDocument =
  ({ tenant }: ControlHost) =>
  async (call: Call): Promise<ControlResponse> => {
    const name = call.params['document'] ?? ''
    const load = Object.hasOwn(documents, name) ? documents[name] : undefined
    if (!load)
      throw new ControlRefusal(
        404,
        `There is no document \`${name}\` under /_sim/: there are ${Object.keys(documents).join(', ')}.`,
      )
    const renamed = renameIdentifiers((await load()).default, tenant.identifiers) as JsonObject
    return ok('servers' in renamed ? { ...renamed, servers } : renamed)
  }

/** JSON has no infinity: null stands for it. */
const countOf = (times: number): number | null => (times === Infinity ? null : times)

const usual = 100

function latest<T>(all: readonly T[], query: URLSearchParams): { shown: readonly T[]; left: number } {
  const shown = all.slice(-(wholeNumberOf(query, 'limit', 1) ?? usual))
  return { shown, left: all.length - shown.length }
}

/** The key as it was sent, and within what it is unique: of an API key, not the token. */
function identityOf({ id }: KeyRecord): { scope: string; key: string } {
  const at = id.indexOf('\n')
  return { scope: withoutWholeKeys(id.slice(0, at)), key: withoutWholeKeys(id.slice(at + 1)) }
}

/** Null where it does not expire. */
function expiryOf({ state: { rules } }: Tenant, record: KeyRecord): string | null {
  const end = record.claimedAt + (isRunning(record) ? rules.leaseMs : rules.keyLifeMs)
  return end <= maxTime ? isoTime(end) : null
}

const maxTime = 8.64e15

function keyState(tenant: Tenant, record: KeyRecord): JsonObject {
  const { state, agent, account, claimedAt, streamed, duplicates, replays } = record
  return {
    ...identityOf(record),
    agentId: agent,
    account,
    state: isRunning(record) ? 'in-flight' : state.is,
    since: isoTime(claimedAt),
    expires: expiryOf(tenant, record),
    streamed,
    duplicates,
    replays,
    ...(state.is === 'completed' && {
      conversationId: state.reply.conversation,
      creditsUsed: shownCredits(state.reply.used),
    }),
  }
}

type OpenEntries = ReadonlyMap<string, JournalEntry>

const turnName = (agent: string, key: string): string => `${agent}\n${key}`

/** Requests without an end, by agent and key; the first of each, because those after it are refused. */
function openEntries({ journal }: Tenant): OpenEntries {
  const open = new Map<string, JournalEntry>()
  for (const entry of journal.entries(({ closedBy }) => closedBy === null)) {
    const { agentId = '', idempotencyKey = '' } = requestFacts(entry)
    const name = turnName(agentId, idempotencyKey)
    if (!open.has(name)) open.set(name, entry)
  }
  return open
}

/** How far a stream has come: read from the journal, so that a turn counts nothing for it. */
const tokensIn = (entry: JournalEntry): number =>
  responseText(entry).match(/^data:.*"type":\s*"token"/gm)?.length ?? 0

function turnState({ barriers }: Tenant, record: KeyRecord, open: OpenEntries): JsonObject {
  const { agent, account, claimedAt, streamed } = record
  const { scope, key } = identityOf(record)
  const entry = open.get(turnName(agent, key))
  const barrier = barriers
    .list()
    .find(({ held }) => held.some((turn) => turn.key === key && turn.agent === agent))
  return {
    scope,
    key,
    agentId: agent,
    account,
    since: isoTime(claimedAt),
    streamed,
    ...(entry && { entry: entry.id, ...(streamed && { tokens: tokensIn(entry) }) }),
    ...(barrier && { barrierId: barrier.id }),
  }
}

function barrierOf(tenant: Tenant, call: Call): Barrier {
  const barrier = tenant.barriers.find(call.params['barrierId'] ?? '')
  if (barrier) return barrier
  throw new ControlRefusal(404, `There is no barrier \`${call.params['barrierId']}\`; it may be used up.`)
}

export async function awaitBarrier(tenant: Tenant, call: Call): Promise<ControlResponse> {
  const query = queryOf(call, ['count', 'timeoutMs'])
  const [count, timeoutMs] = [wholeNumberOf(query, 'count', 1) ?? 1, timeoutOf(query)]
  const barrier = barrierOf(tenant, call)
  const timedOut = await new Promise<boolean>((resolve) => {
    const forget = afterRealTime(timeoutMs, () => resolve(true))
    const end = (timedOut: boolean) => (): void => (forget(), resolve(timedOut))
    barrier.reached(count).then(end(false), end(true))
  })
  return ok({ came: barrier.came, timedOut })
}

const endBarrier =
  (how: 'release' | 'crash') =>
  (tenant: Tenant, call: Call): ControlResponse => {
    const barrier = barrierOf(tenant, call)
    const turns = barrier.waiting
    barrier[how]()
    return ok({ turns })
  }

const tenantRoutes: TenantRoutes = {
  ...failureRoutes,
  ...deliveryRoutes,
  ...contentRoutes,
  ...snapshotRoutes,
  ...ofTenants,
  ...journalRoutes,
  'GET /reply-rules': ({ state }) =>
    ok({
      replyRules: state.replyRules as unknown as JsonObject[],
      fixtures: replyRuleFixtures.length,
    }),
  async 'POST /situations/:situation'(tenant, call) {
    const name = call.params['situation'] ?? ''
    if (!isSituationName(name))
      throw new ControlRefusal(404, `Unknown situation \`${name}\`; ${suggestion(name, situationNames)}`)
    const { endpoint } = validBody(call, 'SituationRequest')
    const prepared = await tenant.prepareSituation(name, { endpoint }).catch(controlError(409))
    return createdResponse({ ...prepared, steps: prepared.steps.map((step) => ({ ...step })) })
  },
  'GET /network-faults': ({ state }) =>
    ok({
      networkFaults: state.networkFaults.armed.map(({ networkFault, toPass, left }) => ({
        ...(networkFault.on && { on: { ...networkFault.on } }),
        do: networkFault.do as unknown as JsonObject,
        after: Math.max(0, toPass),
        times: countOf(left),
      })),
    }),
  'GET /failures': ({ state }) =>
    ok({
      failures: state.outages.map((outage) => {
        const { status, times = 1, agent: agentId, apiKey: principal } = outage
        return {
          status,
          at: placeOfOutage(outage),
          times: countOf(times),
          ...(agentId !== undefined && { agentId }),
          ...(principal !== undefined && { principal }),
        }
      }),
    }),
  'GET /keys'(tenant, call) {
    const { shown, left } = latest([...tenant.state.keys.values()], queryOf(call, ['limit']))
    return ok({ keys: shown.map((record) => keyState(tenant, record)), left })
  },
  'GET /turns'(tenant) {
    const open = openEntries(tenant)
    return ok({ turns: tenant.state.keys.running.map((record) => turnState(tenant, record, open)) })
  },
  'POST /barriers'(tenant, call, limits) {
    const { point, n = 1, agentId, idempotencyKey, times } = validBody(call, 'BarrierRequest')
    proveRoom(limits, 'barriers', tenant.barriers.list().length)
    const at: BarrierPoint = point === 'after-token' ? `after-token:${n}` : point
    const match = { at, agent: agentId, key: idempotencyKey, times }
    return createdResponse({ id: tenant.barriers.hold(match).id })
  },
  'GET /barriers': (tenant) => ok({ barriers: tenant.barriers.list().map(barrierState) }),
  'GET /barriers/:barrierId/reached': awaitBarrier,
  'POST /barriers/:barrierId/release': endBarrier('release'),
  'POST /barriers/:barrierId/crash': endBarrier('crash'),
  'GET /journal/events': followJournal,
}

const about = { operation: 'control' } as const

type Work = (call: Call) => ControlResponse | Promise<ControlResponse>

const eventReply = ({ status, events }: ControlStream): Reply => ({
  kind: 'bytes',
  status,
  headers: [['Content-Type', 'text/event-stream'], ...safeHeaders],
  chunks: events,
  about,
})

/** In one piece, so that the bytes count until the client has read them. */
const textReply = ({ status, text }: ControlText): Reply => ({
  kind: 'bytes',
  status,
  headers: [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', `${text.length}`],
    ...safeHeaders,
  ],
  chunks: [text],
  about,
})

async function answer(work: () => ControlResponse | Promise<ControlResponse>): Promise<Reply> {
  try {
    // Work that does not wait is done within the turn of its request.
    const loading = loadSchemas()
    if (loading) await loading
    const response = await work()
    if ('events' in response) return eventReply(response)
    if ('text' in response) return textReply(response)
    return jsonReply(response.status, response.body, about, safeHeaders)
  } catch (error) {
    if (error instanceof ControlRefusal)
      return jsonReply(error.status, { error: error.message }, about, [...safeHeaders, ...error.headers])
    throw error
  }
}

/**
 * All control routes of a simulator. `token`: what has to be sent as a bearer token; null lets everybody ask,
 * which is right on a loopback address only.
 */
export function controlRoutes(
  host: ControlHost,
  token: string | null = null,
  limits: SimulatorLimits = limitsWith(),
): readonly ServerRoute[] {
  const problem = token === null ? null : tokenProblem(token)
  if (problem !== null) throw new RangeError(problem)
  const route = (pattern: string, work: Work, base = '/_sim/v1'): ServerRoute => {
    const [method = '', path = ''] = pattern.split(' ')
    const handle = (call: Call) =>
      answer(() => {
        admitControl(call, token)
        return work(call)
      })
    return { method, path: `${base}${path}`, handle }
  }
  const tenantOf = (call: Call): Tenant => {
    const id = call.params['tenantId'] ?? ''
    const found = host.tenants.find((tenant) => tenant.id === id)
    if (!found)
      throw new ControlRefusal(404, `There is no tenant \`${id}\`: create one with POST /_sim/v1/tenants.`)
    return found
  }
  const listed = Object.entries(catalogues).map(([name, list]) =>
    route(`GET /${name}`, () => ({ status: 200, body: list() })),
  )
  const ofTenant = Object.entries(tenantRoutes).map(([pattern, work]) => {
    const [method = '', path = ''] = pattern.split(' ')
    return route(`${method} /tenants/:tenantId${path}`, async (call) => {
      const tenant = tenantOf(call)
      const response = await work(tenant, call, limits)
      // Nobody reports what is set.
      if (method !== 'GET') tenant.state.changes.changed('settings', '')
      return response
    })
  })
  return [
    route('GET /:document', readDocument(host), '/_sim'),
    route('GET /tenants', () => listTenants(host)),
    route('POST /tenants', (call) => createTenantRoute(host, call, { limits, shared: token !== null })),
    route('DELETE /tenants/:tenantId', (call) => deleteTenant(host, tenantOf(call))),
    ...listed,
    ...ofTenant,
  ]
}
