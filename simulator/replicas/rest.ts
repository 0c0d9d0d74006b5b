/** Whether a tenant can be put down for a while: nobody waits for it, and nothing of it is under way. */
import { dueIn } from '../keeping/page.ts'
import type { Resident } from './place.ts'

/** What goes on by itself within so many ms is not worth giving back and taking up again. */
const soonMs = 60_000

export function isAtRest({ tenant, open }: Pick<Resident, 'tenant' | 'open'>): boolean {
  const { world } = tenant
  if (open.size > 0 || world.barriers.any || world.outbox.counts.underWay > 0) return false
  const due = dueIn(world)
  if (due !== null && due < soonMs) return false
  return world.keys.running.length === 0 && world.older.keys.running.length === 0
}

/** Resolves once no answer is under way. */
export async function whenUnasked({ open }: Pick<Resident, 'open'>): Promise<void> {
  for (let [one] = open.keys(); one; [one] = open.keys()) {
    const response = one
    await new Promise<void>((resolve) =>
      response.closed ? resolve() : void response.once('close', () => resolve()),
    )
    open.delete(response)
  }
}
