/** What the control plane says of tenants and barriers: plain data in the shapes of spec/control.yaml. */
import { controlPath } from '../route.ts'
import { gapIds, gaps } from '../../spec/index.ts'
import type { Fault, Variant } from '../modification/modification.ts'
import { faults } from '../faults/index.ts'
import { variants } from '../variants/index.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Tenant } from '../tenant-handle.ts'
import type { Barrier } from '../clock/barriers.ts'
import { accountFixtures, type AccountRole } from '../tenant/fixtures.ts'
import { situations } from '../situations/situations.ts'
import { stateEntries } from './states.ts'

export function tenantState(tenant: Tenant): JsonObject {
  return {
    protocol: 'touchstone-control/1',
    states: Object.keys(stateEntries),
    clock: true,
    id: tenant.id,
    seed: tenant.seed,
    vendor: tenant.vendor,
    identifiers: { ...tenant.identifiers },
    faults: [...tenant.faults],
    variants: [...tenant.variants],
    interpretations: { ...tenant.interpretations },
    agents: [...tenant.state.agents.values()].map(({ id, name, paused, allowed }) => {
      return { id, name, paused, allowed }
    }),
    accounts: [...tenant.state.accounts.keys()].map((id) => accountState(tenant, id)),
  }
}

export function accountState(tenant: Tenant, id: string): JsonObject {
  return { id, credits: tenant.credits(id), plan: tenant.state.accounts.get(id)?.plan ?? '' }
}

export function createdTenant(tenant: Tenant): JsonObject {
  const roles = Object.keys(accountFixtures) as AccountRole[]
  // Each account has an API key of the same role.
  const apiKeys = [...tenant.state.apiKeys.values()]
  const accounts = roles.map((role) => [role, apiKeys.find(({ name }) => name === role)?.account ?? ''])
  return {
    id: tenant.id,
    seed: tenant.seed,
    vendor: tenant.vendor,
    identifiers: { ...tenant.identifiers },
    control: controlPath(tenant),
    keys: { ...tenant.keys },
    agents: { ...tenant.agents },
    accounts: Object.fromEntries(accounts),
    sessions: { ...tenant.sessions },
    olderKeys: { ...tenant.olderKeys },
  }
}

export function listedTenant(tenant: Tenant, isDefault: boolean): JsonObject {
  return {
    id: tenant.id,
    seed: tenant.seed,
    vendor: tenant.vendor,
    isDefault,
    control: controlPath(tenant),
    faults: [...tenant.faults],
    variants: [...tenant.variants],
  }
}

export function barrierState({ id, match, waiting }: Barrier): JsonObject {
  const [point, n] = match.at.startsWith('after-token:')
    ? ['after-token', Number(match.at.slice(12))]
    : [match.at]
  return {
    id,
    point,
    held: waiting,
    ...(n !== undefined && { n }),
    ...(match.agent !== undefined && { agentId: match.agent }),
    ...(match.key !== undefined && { idempotencyKey: match.key }),
    ...(match.times !== undefined && { times: match.times }),
  }
}

export const catalogues: Readonly<
  Record<'faults' | 'variants' | 'interpretations' | 'situations', () => Json>
> = {
  faults: () => ({
    faults: Object.entries<Fault>(faults).map(([name, { title, breaks }]) => {
      return { name, text: title, breaks: [...breaks] }
    }),
  }),
  variants: () => ({
    variants: Object.entries<Variant>(variants).map(([name, { title }]) => ({ name, text: title })),
  }),
  situations: () => ({
    situations: Object.entries(situations).map(([name, { title, shows }]) => ({ name, title, shows })),
  }),
  interpretations: () => ({
    gaps: gapIds.map((id) => {
      const { question, interpretations } = gaps[id]
      return { id, question, interpretations: { ...interpretations } }
    }),
  }),
}
