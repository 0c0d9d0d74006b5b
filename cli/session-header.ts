/** How a signed-in user is told to a simulator. */
import type { Tenant } from '../simulator/index.ts'

/** By the reading that the simulator was switched to. */
export function sessionHeader({
  readings,
  sessions,
}: Pick<Tenant, 'readings' | 'sessions'>): [name: string, value: string] {
  return readings['GAP-SESSION'] === 'cookie'
    ? ['Cookie', `session=${sessions.main}`]
    : ['Authorization', `Bearer ${sessions.main}`]
}
