/** The header with the session of a signed-in user. */
import type { Tenant } from '../simulator/index.ts'

/** Depends on the simulator's interpretation of GAP-SESSION. */
export function sessionHeader({
  interpretations,
  sessions,
}: Pick<Tenant, 'interpretations' | 'sessions'>): [name: string, value: string] {
  return interpretations['GAP-SESSION'] === 'cookie'
    ? ['Cookie', `session=${sessions.main}`]
    : ['Authorization', `Bearer ${sessions.main}`]
}
