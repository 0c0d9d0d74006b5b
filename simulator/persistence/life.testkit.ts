/** A tenant from its first step to the end of its process, over and over, on one store. */
import { createCaller, type Caller } from '../chat/caller.testkit.ts'
import type { Store } from '../store/store.ts'
import type { TenantOptions } from '../tenant.ts'
import { createWriteBehind, type WriteBehind } from './write-behind.ts'
import { restore } from './restore.ts'

export interface Life extends Caller {
  readonly writeBehind: WriteBehind
  /** As `kill -9` ends it: nothing is written any more. */
  die(): void
}

const id = 'kept'

/**
 * Takes the one tenant of a store up where the life before left it. `sure`: whether nobody else can have taken it; where
 * that is asked, a life ends when somebody has.
 */
export async function live(store: Store, options: TenantOptions = {}, sure?: () => boolean): Promise<Life> {
  const row = { id, seed: options.seed ?? 'caller', options: '{}' }
  const isNew = await store.found(row, [], 'me')
  const claimed = isNew ? null : await store.claim(id, 'me')
  const epoch = claimed?.is === 'claimed' ? claimed.claim.epoch : 1
  const fail = (...given: unknown[]): never => {
    throw new Error(`Not meant to happen: ${given.join(' ')}`)
  }
  const lost = sure ? (): void => die() : fail
  const writeBehind = createWriteBehind({ store, owner: 'me', lost, defect: fail, ...(sure && { sure }) })
  const kept = writeBehind.keep(id)
  const caller = createCaller(options, { changes: kept.changes, life: epoch - 1 })
  await restore(caller.tenant.state, store.documents(id))
  kept.begin(caller.tenant.state, epoch)
  const die = (): void => {
    kept.end(new Error('The process ended.'))
    caller.tenant.close()
  }
  return { ...caller, writeBehind, die }
}
