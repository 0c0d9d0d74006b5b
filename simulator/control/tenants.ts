/** Routes for tenants, their agents and accounts. */
import { randomUUID } from 'node:crypto'
import type { components } from '../../spec/types/control.ts'
import type { Call } from '../edge/reply.ts'
import { faultsNamed, variantsNamed } from '../modification-names.ts'
import { optionsFrom, snapshotIn } from '../persistence/snapshot.ts'
import type { SimulatorLimits } from '../limits.ts'
import { SeedTaken } from '../tenant-host.ts'
import type { Tenant } from '../tenant-handle.ts'
import { toCredits } from '../tenant/conversations.ts'
import {
  createdResponse,
  ok,
  controlError,
  refusing,
  type ControlResponse,
  type ControlHost,
  type TenantRoutes,
} from './answer.ts'
import { clockFrom } from './deliveries.ts'
import { accountState, createdTenant, listedTenant, tenantState } from './describe.ts'
import { ControlRefusal } from './guard.ts'
import { validBody } from './request.ts'
import { forgetStates } from './snapshots.ts'
import { proveNetworkFaults, proveRoom, proveReplyRules } from './room.ts'

/**
 * `shared`: others reach this simulator. A seed that follows from its own would let whoever knows that one work out the
 * keys of every tenant, so that a tenant without a seed gets one that nobody can guess.
 */
export function createTenantRoute(
  host: ControlHost,
  call: Call,
  { limits, shared }: { limits: SimulatorLimits; shared: boolean },
): ControlResponse {
  const request = validBody(call, 'TenantRequest')
  if (request.snapshot !== undefined) return tenantFromSnapshot(host, request, limits)
  const { clock, credits, faults = [], variants = [], snapshot: _snapshot, ...rest } = request
  const { replyRules = [], networkFaults = [] } = rest
  // Everything is proven before the tenant is there, so that none is left over from a refusal.
  if (credits !== undefined) refusing(400, () => toCredits(credits))
  proveRoom(limits, 'tenants', host.tenants.length)
  proveReplyRules(limits, 0, replyRules)
  proveNetworkFaults(limits, 0, networkFaults)
  const options = refusing(400, () => ({
    ...(shared && { seed: randomUUID() }),
    journalCapacity: limits.journalEntries,
    journalBytes: limits.journalBytes,
    ...rest,
    faults: faultsNamed(faults),
    variants: variantsNamed(variants),
    clock: clock && clockFrom(clock),
  }))
  const tenant = made(() => host.createTenant(options))
  if (credits !== undefined)
    for (const account of tenant.state.accounts.keys()) tenant.setCredits(account, credits)
  return createdResponse(createdTenant(tenant))
}

/** The tenant has the ids, keys and options of the document, and so no other member counts. */
function tenantFromSnapshot(
  host: ControlHost,
  { snapshot: document, ...rest }: components['schemas']['TenantRequest'],
  limits: SimulatorLimits,
): ControlResponse {
  const [other] = Object.keys(rest)
  if (other !== undefined)
    throw new ControlRefusal(400, `\`snapshot\` and \`${other}\` cannot be combined; leave one out.`)
  const snapshot = refusing(400, () => snapshotIn(document))
  const options = optionsFrom(snapshot)
  proveRoom(limits, 'tenants', host.tenants.length)
  proveReplyRules(limits, 0, options.replyRules)
  proveNetworkFaults(limits, 0, options.networkFaults)
  const { journalEntries: journalCapacity, journalBytes } = limits
  const tenant = made(() => host.createTenant({ journalCapacity, journalBytes, ...options }))
  try {
    refusing(400, () => tenant.restore(snapshot))
  } catch (error) {
    host.removeTenant(tenant)
    throw error
  }
  return createdResponse(createdTenant(tenant))
}

function made(create: () => Tenant): Tenant {
  try {
    return create()
  } catch (error) {
    if (error instanceof RangeError) return controlError(error instanceof SeedTaken ? 409 : 400)(error)
    throw error
  }
}

export const listTenants = (host: ControlHost): ControlResponse =>
  ok({ tenants: host.tenants.map((tenant) => listedTenant(tenant, tenant.id === host.tenant.id)) })

export function deleteTenant(host: ControlHost, tenant: Tenant): ControlResponse {
  host.removeTenant(tenant)
  return ok({ deleted: tenant.id })
}

export const tenantRoutes: TenantRoutes = {
  'GET ': (tenant) => ok(tenantState(tenant)),
  'PATCH '(tenant, call) {
    const { tasks, ...change } = validBody(call, 'TenantUpdate')
    const {
      faults = tenant.faults,
      variants = tenant.variants,
      interpretations = tenant.interpretations,
    } = change
    refusing(400, () =>
      tenant.setModifications({
        faults: faultsNamed(faults),
        variants: variantsNamed(variants),
        interpretations,
      }),
    )
    if (tasks !== undefined) tenant.setTaskPace(tasks)
    return ok(tenantState(tenant))
  },
  'GET /credentials': (tenant) => ok(createdTenant(tenant)),
  'POST /reset'(tenant) {
    tenant.reset()
    forgetStates(tenant)
    return ok(tenantState(tenant))
  },
  'PATCH /agents/:agentId'(tenant, call) {
    const { paused, allowed } = validBody(call, 'AgentUpdate')
    const agent = tenant.state.agents.get(call.params['agentId'] ?? '')
    if (!agent)
      throw new ControlRefusal(404, `There is no agent \`${call.params['agentId']}\` in this tenant.`)
    if (paused === true) tenant.pause(agent.id)
    if (paused === false) tenant.resume(agent.id)
    if (allowed !== undefined) tenant.setAllowed(agent.id, allowed)
    return ok({ id: agent.id, name: agent.name, paused: agent.paused, allowed: agent.allowed })
  },
  'PATCH /accounts/:accountId'(tenant, call) {
    const { credits, plan } = validBody(call, 'AccountUpdate')
    const id = call.params['accountId'] ?? ''
    if (!tenant.state.accounts.has(id))
      throw new ControlRefusal(404, `There is no account \`${id}\` in this tenant.`)
    if (credits !== undefined) refusing(400, () => tenant.setCredits(id, credits))
    if (plan !== undefined) tenant.setPlan(id, plan)
    return ok(accountState(tenant, id))
  },
  'PUT /reply-rules'(tenant, call, limits) {
    const { replyRules } = validBody(call, 'ReplyRuleList')
    proveReplyRules(limits, tenant.state.replyRules.length, replyRules)
    tenant.addReplyRules(replyRules)
    return ok({ added: replyRules.length, active: tenant.state.replyRules.length })
  },
}
