/** What tenants let go for their limits: bounded memory is no secret to whoever looks for what is not there any more. */
import type { TenantData } from './tenant-data.ts'
import type { EntryKind } from './changes.ts'

/** What a person calls them; a kind that has no limit has no words. */
const words = {
  key: 'idempotency keys',
  conversation: 'conversations',
  history: 'conversations of the older variant',
  offer: 'buttons',
  run: 'runs of operations',
  task: 'tasks',
  approval: 'approvals',
  data: 'rows of accounts',
  webhook: 'webhooks',
} as const satisfies Partial<Record<EntryKind, string>>

/** By what it was, in the words of a person; only what there is any of. */
export type Dropped = Readonly<Record<string, number>>

export function droppedOf(states: Iterable<TenantData>): Dropped {
  const sums = new Map<string, number>()
  const add = (name: string, count: number): void => {
    if (count > 0) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  for (const { journal, letGo, outbox } of states) {
    add('journal entries', journal.dropped)
    for (const [kind, name] of Object.entries(words)) add(name, letGo[kind as keyof typeof words] ?? 0)
    add('deliveries of webhook logs', outbox.forgotten)
    add('waiting deliveries', outbox.counts.dropped)
  }
  return Object.fromEntries(sums)
}
