/** What every process of a siege agrees on: seeds, what agents reply, and how much a tenant stores. */
import { sessionHeader } from '../../cli/session-header.ts'
import { createSimulator, type ReplyRule, type Tenant, type TenantOptions } from '../../simulator/index.ts'
import { retention } from '../../simulator/tenant/retention.ts'

export const controlToken = 'control-token-of-the-siege'
export const honestSeed = 'siege'
const hostileCount = 12
export const hostileSeeds: readonly string[] = Array.from(
  { length: hostileCount },
  (_, at) => `${honestSeed}/hostile-${at}`,
)

/** Slow enough that some turns are in flight whenever a process dies. */
const replyRule: ReplyRule = {
  match: { agent: 'plain' },
  reply: { text: 'You said: {message}', delayMs: 2, tokenDelayMs: 1 },
}

/** Entries of each kind: few, so that a run of minutes reaches what would take a day otherwise. */
export const storedMost = 5_000

const monthMs = 30 * 86_400_000

export const tenantOptions: TenantOptions = {
  unlimited: true,
  replyRules: [replyRule],
  journalBytes: 8 * 1024 * 1024,
  retention: Object.fromEntries(
    Object.entries(retention).map(([kind, limit]) => [
      kind,
      { ...limit, most: Math.min(limit.most, storedMost), ageMs: monthMs },
    ]),
  ),
}

/** What a client of one tenant knows. */
export interface Access {
  readonly id: string
  readonly key: string
  readonly agent: string
  /** The header of a signed-in user. */
  readonly session: readonly [name: string, value: string]
}

const accessOf = (tenant: Tenant): Access => ({
  id: tenant.id,
  key: tenant.keys.main,
  agent: tenant.agents.plain,
  session: sessionHeader(tenant),
})

/** Ids and keys follow from seeds, so a simulator in this process shows them. */
export async function accesses(): Promise<{ honest: Access; hostile: readonly Access[] }> {
  await using simulator = await createSimulator({ seed: honestSeed })
  const hostile = await Promise.all(hostileSeeds.map((seed) => simulator.addTenant({ seed })))
  return { honest: accessOf(simulator.tenant), hostile: hostile.map(accessOf) }
}
