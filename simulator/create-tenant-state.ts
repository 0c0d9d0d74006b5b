/** Makes a tenant from its seed and the fixtures. */
import type { ReplyRule } from './tenant/reply-rule.ts'
import type { Credentials } from './tenant/journal/entry.ts'
import type { Identifiers } from '../spec/identifiers.ts'
import { defaultInterpretations } from '../spec/index.ts'
import { rulesOf } from './base-rules.ts'
import { plainWire } from './edge/wire.ts'
import { createNetworkFaultBook } from './tenant/network-fault-book.ts'
import type { NetworkFault } from './tenant/network-fault.ts'
import { createOlderBooks } from './tenant/older-books.ts'
import { createOperationStore } from './tenant/operations/store.ts'
import type { DashboardSession, Webhook } from './tenant/webhooks/webhook.ts'
import { createBarriers } from './clock/barriers.ts'
import { createBook, type Remember } from './tenant/book.ts'
import {
  type Changes,
  toCredits,
  type Account,
  offerSize,
  type Conversation,
  type Offer,
} from './tenant/conversations.ts'
import { createClock, type ClockSetting } from './clock/clock.ts'
import {
  accountFixtures,
  agentFixtures,
  keyFixtures,
  narrowKeyFixtures,
  replyRuleFixtures,
  sessionFixtures,
  type KeyFixture,
} from './tenant/fixtures.ts'
import { createJournal } from './tenant/journal/journal.ts'
import { createKeyBook, isRunning, keySize } from './tenant/keys.ts'
import type { Agent, ApiKey } from './tenant/principals.ts'
import { createRandom, type Random } from './tenant/random.ts'
import { createRateMeter } from './tenant/rate.ts'
import type { Retention, Limit } from './limits.ts'
import type { ModificationNames, TenantState } from './rules/tenant-state.ts'
import { type PersistedOutbox, type Outbox, createSentLog } from './tenant/webhooks/endpoint-queue.ts'
import { emptyCounts } from './webhooks/delivery/delivery-log.ts'
import { DeliveryScheduler } from './webhooks/delivery/scheduler.ts'

export interface TenantStateOptions {
  seed: string
  vendor: string
  identifiers: Identifiers
  clock: ClockSetting
  replyRules: readonly ReplyRule[]
  networkFaults: readonly NetworkFault[]
  journalCapacity: number
  journalBytes: number
  journalCredentials: Credentials
  changes: Changes
  retention: Retention
  /** How often it was taken up from a store: ids that are made from then on are others than before. */
  life: number
  deviate: (state: TenantState, chosen: ModificationNames) => void
  shared: Map<string, unknown>
}

function makeAccounts(random: Random): Map<string, Account> {
  const accounts = Object.entries(accountFixtures).map(([name, { credits, plan }]) => {
    return { id: `account_${random.word(12)}`, name, plan, balance: toCredits(credits), reserved: 0 }
  })
  return new Map(accounts.map((account) => [account.id, account]))
}

function makeAgents(random: Random, accountId: (name: string) => string): Map<string, Agent> {
  const agents = Object.entries(agentFixtures).map(([name, fixture]) => ({
    id: `agent_${random.word(16)}`,
    name,
    accounts: fixture.accounts.map(accountId),
    allowed: !('forbidden' in fixture),
    paused: 'paused' in fixture,
  }))
  return new Map(agents.map((agent) => [agent.id, agent]))
}

function makeApiKeys(
  random: Random,
  accountId: (name: string) => string,
  agents: Map<string, Agent>,
): ApiKey[] {
  const agentId = (name: string): string | null =>
    [...agents.values()].find((agent) => agent.name === name)?.id ?? null
  const made = (fixtures: Readonly<Record<string, KeyFixture>>, source: Random): ApiKey[] =>
    Object.entries(fixtures).map(([name, { account, scopes, agent, revoked = false }]) => ({
      token: `sk-${source.word(40)}`,
      name,
      account: accountId(account),
      scopes,
      agent: agent === undefined ? null : agentId(agent),
      revoked,
    }))
  return [...made(keyFixtures, random), ...made(narrowKeyFixtures, random.fork('narrow keys'))]
}

function makeSessions(random: Random, accountId: (name: string) => string): readonly DashboardSession[] {
  return Object.entries(sessionFixtures).map(([name, { account }]) => ({
    token: `sess_${random.word(40)}`,
    name,
    account: accountId(account),
  }))
}

export function createTenantState(options: TenantStateOptions): TenantState {
  const { seed, replyRules, networkFaults, journalCapacity, journalCredentials, shared, changes } = options
  const { retention, life, deviate, vendor, identifiers } = options
  // Keys and agents are those of the seed in every life; what is made on the way is new in each.
  const first = createRandom(seed)
  const random = life === 0 ? first : createRandom(`${seed}/life ${life}`)
  // Ids have a generator of their own, so that a reset gives them again and nothing else moves them.
  const names = first.fork('ids')
  const accounts = makeAccounts(names)
  const accountId = (name: string): string =>
    [...accounts.values()].find((account) => account.name === name)?.id ?? ''
  const agents = makeAgents(names, accountId)
  const clock = createClock(options.clock)
  const letGo: TenantState['letGo'] = {}
  const remember: Remember = (kind, limit, how = {}) =>
    createBook({
      kind,
      changes,
      limit,
      now: () => clock.now(),
      letGo: () => void (letGo[kind] = (letGo[kind] ?? 0) + 1),
      ...how,
    })
  const state: TenantState = {
    id: `tenant_${names.word(12)}`,
    seed,
    random,
    vendor,
    identifiers,
    clock,
    barriers: createBarriers(),
    journal: createJournal(journalCapacity, journalCredentials, options.journalBytes),
    changes,
    letGo,
    accounts,
    apiKeys: new Map(makeApiKeys(names, accountId, agents).map((apiKey) => [apiKey.token, apiKey])),
    agents,
    conversations: remember<Conversation>('conversation', retention.conversations, { order: 'used' }),
    offers: remember<Offer>('offer', retention.offers, { sizeOf: offerSize }),
    keys: createKeyBook(remember('key', retention.keys, { inUse: isRunning, sizeOf: keySize })),
    webhooks: remember<Webhook>('webhook', retention.webhooks),
    sessions: new Map(makeSessions(names, accountId).map((session) => [session.token, session])),
    outbox: createOutbox(() => state, retention.deliveries, random.fork('deliveries')),
    older: createOlderBooks(first.fork('older'), { agents, accounts, remember, retention }),
    operations: createOperationStore(() => random.fork('operations'), { remember, retention }),
    rates: createRateMeter(),
    presentations: 0,
    replyRules: [...replyRules, ...replyRuleFixtures],
    outages: [],
    networkFaults: createNetworkFaultBook(networkFaults),
    shared,
    interpretations: defaultInterpretations,
    rules: rulesOf(defaultInterpretations, identifiers),
    wire: plainWire,
    hooks: [],
    modifications: { faults: [], variants: [], interpretations: {} },
    deviate: (chosen) => deviate(state, chosen),
  }
  return state
}

/**
 * `state` is called at the first event. `limit`: how many deliveries the logs keep, and for how long. `random`: for ids,
 * separate, so that deliveries do not change the ids of chat.
 */
function createOutbox(state: () => TenantState, limit: Limit, random: Random): Outbox {
  let scheduler: DeliveryScheduler | undefined
  const open = (): DeliveryScheduler => (scheduler ??= new DeliveryScheduler(state(), limit, random))
  const sent = createSentLog()
  return {
    sent,
    // Without a webhook, an event costs nothing.
    emit: (occurrence) => (!scheduler && state().webhooks.size === 0 ? [] : open().emit(occurrence)),
    test: (webhook) => open().test(webhook),
    again: (deliveryId, how) => scheduler?.again(deliveryId, how),
    deliveriesOf: (webhookId) => scheduler?.deliveriesOf(webhookId) ?? [],
    changed: (webhookId) => scheduler?.changed(webhookId),
    pause: (webhook) => open().pause(webhook),
    forget: (webhookId) => scheduler?.forget(webhookId),
    get counts() {
      return scheduler?.counts ?? emptyCounts
    },
    get forgotten() {
      return scheduler?.totals().ended.forgotten ?? 0
    },
    random,
    persisted: persistedOf(() => scheduler, open),
    clear: () => {
      sent.clear()
      scheduler?.clear()
    },
    // Opens it first, so that later events are dropped too.
    close: () => open().close(),
  }
}

function persistedOf(
  scheduler: () => DeliveryScheduler | undefined,
  open: () => DeliveryScheduler,
): PersistedOutbox {
  return {
    totals: () => scheduler()?.totals(),
    health: (webhookId) => scheduler()?.health(webhookId),
    keys: () => scheduler()?.keys() ?? [],
    queued: (key) => scheduler()?.queued(key),
    restoreTotals: (totals) => open().restoreTotals(totals),
    restoreHealth: (webhook, health) => open().restoreHealth(webhook, health),
    restoreDelivery: (queued) => open().restoreDelivery(queued),
    wake: () => scheduler()?.wake(),
  }
}
