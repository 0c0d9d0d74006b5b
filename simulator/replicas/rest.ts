/** Whether a tenant can be put down: nobody waits for it, and nothing of it is under way. */
import { dueIn } from '../persistence/page.ts'
import type { LocalTenant } from './place.ts'

type Rested = Pick<LocalTenant, 'tenant' | 'open'>

/** Whoever runs it next takes nothing up in the middle. */
export function isIdle({ tenant, open }: Rested): boolean {
  const { outbox, keys, older } = tenant.state
  return (
    open.size === 0 &&
    outbox.counts.inFlight === 0 &&
    keys.running.length === 0 &&
    older.keys.running.length === 0
  )
}

/** What goes on by itself within so many ms is not worth giving back and taking up again. */
const soonMs = 60_000

/** Nobody has plans for it either, for a while. */
export function isAtRest(localTenant: Rested): boolean {
  const { state } = localTenant.tenant
  const due = dueIn(state)
  return (due === null || due >= soonMs) && !state.barriers.any && isIdle(localTenant)
}
