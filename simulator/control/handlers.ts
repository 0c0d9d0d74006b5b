/** One function per control route, over a world and a call. */
import type { Scenario } from '../chat/scenario.ts'
import type { Call } from '../http/call.ts'
import type { Json } from '../json.ts'
import type { Deviations, Tenant, TenantOptions } from '../tenant.ts'
import type { BarrierPoint } from '../world/barriers.ts'
import type { ClockSetting } from '../world/clock.ts'
import type { EntryFilter } from '../world/journal.ts'
import { barrierState, createdTenant, entryState, tenantState } from './describe.ts'
import { bodyOf, ControlRefusal, queryOf, wholeNumber } from './request.ts'
import { CannotEnter, OpenStates, stateEntries, type StateRequest } from './states.ts'

/** What the control plane needs of a simulator. */
export interface ControlHost {
  readonly tenants: readonly Tenant[]
  createTenant(options?: TenantOptions): Tenant
}

export interface Answer {
  status: 200 | 201 | 204
  body: Json
}

const ok = (body: Json): Answer => ({ status: 200, body })
const created = (body: Json): Answer => ({ status: 201, body })
const done: Answer = { status: 204, body: null }

/** A clock as the document spells it: moments are ISO texts there. */
type SpeltClock =
  | { mode: 'real' }
  | { mode: 'frozen'; at?: string }
  | { mode: 'offset'; offsetMs: number }
  | { mode: 'scaled'; factor: number }

function clockFrom(spelt: SpeltClock): ClockSetting {
  if (spelt.mode === 'offset') return { mode: 'offset', ms: spelt.offsetMs }
  if (spelt.mode !== 'frozen') return spelt
  return spelt.at === undefined ? { mode: 'frozen' } : { mode: 'frozen', at: Date.parse(spelt.at) }
}

function clockState({ clock }: Tenant): Json {
  const { setting } = clock
  const spelt: Json =
    setting.mode === 'offset'
      ? { mode: 'offset', offsetMs: setting.ms }
      : setting.mode === 'frozen'
        ? { mode: 'frozen', ...(setting.at === undefined ? {} : { at: new Date(setting.at).toISOString() }) }
        : { ...setting }
  return { now: new Date(clock.now()).toISOString(), setting: spelt, pending: clock.pending }
}

interface SpeltTenant extends Deviations {
  seed?: number | string
  clock?: SpeltClock
  scenarios?: readonly Scenario[]
  credits?: number
}

export function createTenant(host: ControlHost, call: Call): Answer {
  const { seed, clock, credits, ...rest } = bodyOf<SpeltTenant>(call, 'TenantRequest')
  const tenant = refusing(400, () =>
    host.createTenant({
      ...rest,
      ...(seed === undefined ? {} : { seed: String(seed) }),
      ...(clock === undefined ? {} : { clock: clockFrom(clock) }),
    }),
  )
  if (credits !== undefined)
    for (const account of tenant.world.accounts.keys()) tenant.setCredits(account, credits)
  return created(createdTenant(tenant))
}

export const readTenant = (tenant: Tenant): Answer => ok(tenantState(tenant))

export function updateTenant(tenant: Tenant, call: Call): Answer {
  const change = bodyOf<Deviations>(call, 'TenantUpdate')
  const { faults, variants, readings } = tenant
  refusing(400, () => tenant.setDeviations({ faults, variants, readings, ...change }))
  return ok(tenantState(tenant))
}

export function deleteTenant(tenant: Tenant): Answer {
  tenant.close()
  return done
}

export function updateAgent(tenant: Tenant, call: Call): Answer {
  const { paused, allowed } = bodyOf<{ paused?: boolean; allowed?: boolean }>(call, 'AgentUpdate')
  const agent = tenant.world.agents.get(call.params['agentId'] ?? '')
  if (!agent) throw new ControlRefusal(404, `There is no agent \`${call.params['agentId']}\` in this world.`)
  if (paused !== undefined) (paused ? tenant.pause : tenant.resume)(agent.id)
  if (allowed !== undefined) tenant.setAllowed(agent.id, allowed)
  return ok({ id: agent.id, name: agent.name, paused: agent.paused, allowed: agent.allowed })
}

export function updateAccount(tenant: Tenant, call: Call): Answer {
  const { credits } = bodyOf<{ credits: number }>(call, 'AccountUpdate')
  const id = call.params['accountId'] ?? ''
  if (!tenant.world.accounts.has(id))
    throw new ControlRefusal(404, `There is no account \`${id}\` in this world.`)
  tenant.setCredits(id, credits)
  return ok({ id, credits: tenant.credits(id) })
}

export function setScenarios(tenant: Tenant, call: Call): Answer {
  tenant.addScenarios(bodyOf<{ scenarios: readonly Scenario[] }>(call, 'ScenarioList').scenarios)
  return done
}

export const readClock = (tenant: Tenant): Answer => ok(clockState(tenant))

export function setClock(tenant: Tenant, call: Call): Answer {
  tenant.clock.set(clockFrom(bodyOf<SpeltClock>(call, 'ClockSetting')))
  return ok(clockState(tenant))
}

export async function advanceClock(tenant: Tenant, call: Call): Promise<Answer> {
  const { now, fired } = await tenant.clock.advance(bodyOf<{ ms: number }>(call, 'AdvanceRequest').ms)
  return ok({ now: new Date(now).toISOString(), fired: fired.length })
}

interface BarrierRequest {
  point: 'before-run' | 'after-token' | 'before-commit' | 'after-commit'
  n?: number
  agentId?: string
  idempotencyKey?: string
  times?: number
}

export function createBarrier(tenant: Tenant, call: Call): Answer {
  const { point, n = 1, agentId, idempotencyKey, times } = bodyOf<BarrierRequest>(call, 'BarrierRequest')
  const at: BarrierPoint = point === 'after-token' ? `after-token:${n}` : point
  const { id } = tenant.barriers.hold({
    at,
    ...(agentId === undefined ? {} : { agent: agentId }),
    ...(idempotencyKey === undefined ? {} : { key: idempotencyKey }),
    ...(times === undefined ? {} : { times }),
  })
  return created({ id })
}

export const listBarriers = (tenant: Tenant): Answer =>
  ok({ barriers: tenant.barriers.list().map(barrierState) })

export const endBarrier =
  (how: 'release' | 'crash') =>
  (tenant: Tenant, call: Call): Answer => {
    const barrier = tenant.barriers.find(call.params['barrierId'] ?? '')
    if (!barrier)
      throw new ControlRefusal(404, `There is no barrier \`${call.params['barrierId']}\`; it may be used up.`)
    const turns = barrier.waiting
    barrier[how]()
    return ok({ turns })
  }

function filterOf(query: URLSearchParams): EntryFilter {
  const [method, path] = [query.get('method'), query.get('path')]
  const [status, after] = [wholeNumber(query, 'status'), wholeNumber(query, 'since')]
  return {
    ...(method === null ? {} : { method }),
    ...(path === null ? {} : { path }),
    ...(status === undefined ? {} : { status }),
    ...(after === undefined ? {} : { after }),
  }
}

export function readJournal(tenant: Tenant, call: Call): Answer {
  const query = queryOf(call)
  const entries = tenant.journal.entries(filterOf(query)).slice(-(wholeNumber(query, 'limit') ?? Infinity))
  return ok({ entries: entries.map(entryState), dropped: tenant.journal.dropped })
}

export async function awaitJournal(tenant: Tenant, call: Call): Promise<Answer> {
  const query = queryOf(call)
  const filter = filterOf(query)
  const [count, timeoutMs] = [
    wholeNumber(query, 'count'),
    Math.min(wholeNumber(query, 'timeoutMs') ?? 5_000, 60_000),
  ]
  if (count === undefined) throw new ControlRefusal(400, 'Say how many entries to wait for: `?count=1`.')
  const waited = tenant.journal.wait({ filter, count, timeoutMs })
  const timedOut = await waited.then(
    () => false,
    () => true,
  )
  return ok({
    entries: tenant.journal.entries(filter).map(entryState),
    dropped: tenant.journal.dropped,
    timedOut,
  })
}

const openStates = new WeakMap<Tenant, OpenStates>()
function statesOf(tenant: Tenant): OpenStates {
  const known = openStates.get(tenant) ?? new OpenStates()
  openStates.set(tenant, known)
  return known
}

const isState = (id: string): id is keyof typeof stateEntries => Object.hasOwn(stateEntries, id)

export function enterState(tenant: Tenant, call: Call): Answer {
  const state = call.params['state'] ?? ''
  if (!isState(state)) throw new ControlRefusal(404, `State \`${state}\` cannot be brought about here.`)
  const request = bodyOf<StateRequest>(call, 'StateRequest')
  const { handle, setting } = refusing(409, () => statesOf(tenant).enter(tenant, state, request))
  return created({ handle, setting: { ...setting } })
}

export function leaveState(tenant: Tenant, call: Call): Answer {
  const { state = '', handle = '' } = call.params
  if (statesOf(tenant).leave(state, handle)) return done
  throw new ControlRefusal(
    404,
    `State \`${state}\` was not entered with the handle \`${handle}\`, or was left already.`,
  )
}

/** Turns what a world throws for a wrong name or a missing member into a refusal. */
function refusing<T>(status: 400 | 409, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (
      error instanceof CannotEnter ||
      error instanceof RangeError ||
      error instanceof TypeError ||
      error instanceof Error
    )
      throw new ControlRefusal(status, error.message)
    throw error
  }
}
