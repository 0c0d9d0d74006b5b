/** The header with the session of a signed-in user. */
import type { Tenant } from '../simulator/index.ts'

/** Depends on the simulator's interpretation of GAP-SESSION. */
export function sessionHeader({
  readings,
  sessions,
}: Pick<Tenant, 'readings' | 'sessions'>): [name: string, value: string] {
  return readings['GAP-SESSION'] === 'cookie'
    ? ['Cookie', `session=${sessions.main}`]
    : ['Authorization', `Bearer ${sessions.main}`]
}
