/** Which tenant a token chooses: asked of the store once, since a token never changes hands. */
import { createHash } from 'node:crypto'
import type { Store } from '../store/store.ts'
import type { MachineTime } from '../tenant/clock/machine-time.ts'
import { createRecent } from './recent.ts'

export interface Tokens {
  /** Id of the tenant; null where the token is nobody's. Rejects while the store is away. */
  tenantOf(token: string): string | null | Promise<string | null>
  /** The tenant is no more. */
  forget(tenant: string): void
}

/** The store knows tokens by it alone: none is copied by who looks at it. Who means to, gets them from the seed. */
export const tokenDigest = (token: string): string => createHash('sha256').update(token).digest('hex')

/** How long a token that was nobody's stays so, in ms: a flood of them does not reach the store. */
const unknownMs = 1_000
/** Tokens remembered; of more of them, the first are asked for anew. */
const most = 100_000

export function createTokens(store: Store, machine: Pick<MachineTime, 'elapsed'>): Tokens {
  const known = createRecent<string>(most)
  const unknown = createRecent<number>(most)
  const ask = async (digest: string): Promise<string | null> => {
    const tenant = await store.tenantOf(digest)
    if (tenant === null) unknown.set(digest, machine.elapsed() + unknownMs)
    else known.set(digest, tenant)
    return tenant
  }
  return {
    tenantOf: (token) => {
      const digest = tokenDigest(token)
      const tenant = known.get(digest)
      if (tenant !== undefined) return tenant
      return (unknown.get(digest) ?? 0) > machine.elapsed() ? null : ask(digest)
    },
    forget: (tenant) => known.forget(tenant),
  }
}
