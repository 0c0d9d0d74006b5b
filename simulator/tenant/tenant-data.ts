/** What one tenant's requests can see or change. Rules read it; `TenantState` adds the rules themselves. */
import type { ReplyRule } from './reply-rule.ts'
import type { Outbox } from './webhooks/endpoint-queue.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import type { NetworkFaultBook } from './network-fault.ts'
import type { OlderBooks } from './older-books.ts'
import type { OperationStore } from './operations/store.ts'
import type { DashboardSession, Webhook } from './webhooks/webhook.ts'
import type { Barriers } from '../clock/barriers.ts'
import type { Book } from './book.ts'
import type { Changes, Evicted, Conversation, Offer, Account, EntryKind } from './conversations.ts'
import type { TenantClock } from '../clock/clock.ts'
import type { Journal } from './journal/journal.ts'
import type { KeyBook } from './keys.ts'
import type { Outage, RateMeter } from './rate.ts'
import type { Agent, ApiKey } from './principals.ts'
import type { Random } from './random.ts'

export interface TenantData {
  readonly id: string
  readonly seed: string
  readonly random: Random
  /** What the service writes where the contract has `service`. */
  readonly vendor: string
  readonly identifiers: Identifiers
  readonly clock: TenantClock
  readonly barriers: Barriers
  readonly journal: Journal
  /** What is kept of it beyond the life of its process. */
  readonly changes: Changes
  /** How many of each kind were let go for their limits in this life. */
  readonly letGo: Evicted
  readonly accounts: Map<string, Account>
  readonly apiKeys: Map<string, ApiKey>
  readonly agents: Map<string, Agent>
  /** By account, agent and id. */
  readonly conversations: Book<Conversation>
  /** By the canonical text of the interaction. */
  readonly offers: Book<Offer>
  readonly keys: KeyBook
  /** By id, in the order made. */
  readonly webhooks: Book<Webhook>
  readonly sessions: Map<string, DashboardSession>
  readonly outbox: Outbox
  readonly operations: OperationStore
  readonly older: OlderBooks
  readonly rates: RateMeter
  presentations: number
  readonly replyRules: ReplyRule[]
  readonly outages: Outage[]
  readonly networkFaults: NetworkFaultBook
  /** Shared by all tenants of one simulator; only a fault puts anything there. */
  readonly shared: Map<string, unknown>
}

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
