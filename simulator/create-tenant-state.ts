/** Makes a tenant from its seed and the fixtures. */
import { defaultInterpretations } from '../spec/index.ts'
import { rulesOf } from './base-rules.ts'
import { plainWire } from './edge/wire.ts'
import { createNetworkFaultBook } from './tenant/network-fault.ts'
import { createOlderBooks } from './tenant/older-books.ts'
import { createOperationStore } from './tenant/operations/store.ts'
import type { DashboardSession, Webhook } from './tenant/webhooks/webhook.ts'
import { createBarriers } from './clock/barriers.ts'
import { Book, type Remember } from './tenant/book.ts'
import {
  type Changes,
  nothingStored,
  toCredits,
  type Account,
  offerSize,
  type Conversation,
  type Offer,
} from './tenant/conversations.ts'
import { createClock } from './clock/clock.ts'
import {
  accountFixtures,
  agentFixtures,
  keyFixtures,
  narrowKeyFixtures,
  replyRuleFixtures,
  sessionFixtures,
  type KeyFixture,
} from './tenant/fixtures.ts'
import { createJournal, type Journal } from './tenant/journal/journal.ts'
import { createKeyBook, isRunning, keySize } from './tenant/keys.ts'
import type { Agent, ApiKey } from './tenant/principals.ts'
import { createRandom, type Random } from './tenant/random.ts'
import { createRateMeter } from './tenant/rate.ts'
import { retention } from './limits.ts'
import type { Tenant, TenantOptions } from './tenant-handle.ts'
import { defaultVendor, identifiersOf, type Identifiers } from '../spec/identifiers.ts'
import type { ModificationNames, TenantState } from './rules/tenant-state.ts'
import { DeliveryScheduler } from './webhooks/delivery/scheduler.ts'

export interface TenantPlace {
  readonly seed: string
  /** Base address, known once the server listens. */
  url(): string
  readonly shared: Map<string, unknown>
  /** Receives the changes of the tenant. Default: none. */
  readonly changes?: Changes
  /** How often it was taken up from a store: ids that are made from then on are others than before. Default 0: it is new. */
  readonly life?: number
  onClose(tenant: Tenant): void
}

/** Ids have a generator of their own, so that a reset gives them again and nothing else moves them. */
function makePrincipals(random: Random) {
  const accounts = Object.entries(accountFixtures).map(([name, { credits, plan }]): Account => {
    return { id: `account_${random.word(12)}`, name, plan, balance: toCredits(credits), reserved: 0 }
  })
  const accountId = (name: string): string => accounts.find((account) => account.name === name)?.id ?? ''
  const agents = Object.entries(agentFixtures).map(([name, fixture]): Agent => ({
    id: `agent_${random.word(16)}`,
    name,
    accounts: fixture.accounts.map(accountId),
    allowed: !('forbidden' in fixture),
    paused: 'paused' in fixture,
  }))
  const id = `tenant_${random.word(12)}`
  const keysOf = (fixtures: Readonly<Record<string, KeyFixture>>, source: Random): ApiKey[] =>
    Object.entries(fixtures).map(([name, { account, scopes, agent, revoked = false }]) => ({
      token: `sk-${source.word(40)}`,
      name,
      account: accountId(account),
      scopes,
      agent: agents.find((one) => one.name === agent)?.id ?? null,
      revoked,
    }))
  const apiKeys = [...keysOf(keyFixtures, random), ...keysOf(narrowKeyFixtures, random.fork('narrow keys'))]
  const sessions = Object.entries(sessionFixtures).map(([name, { account }]): DashboardSession => ({
    token: `sess_${random.word(40)}`,
    name,
    account: accountId(account),
  }))
  return {
    id,
    accounts: new Map(accounts.map((account) => [account.id, account])),
    agents: new Map(agents.map((agent) => [agent.id, agent])),
    apiKeys: new Map(apiKeys.map((apiKey) => [apiKey.token, apiKey])),
    sessions: new Map(sessions.map((session) => [session.token, session])),
  }
}

function journalOf(
  { journalCapacity, journalCredentials, journalBytes, onJournalEnd }: TenantOptions,
  identifiers: Identifiers,
): Journal {
  const onEnd = onJournalEnd && ((journal: Journal) => onJournalEnd(journal, identifiers))
  return createJournal(journalCapacity, journalCredentials, journalBytes, onEnd)
}

export function createTenantState(
  { seed, shared, changes = nothingStored, life = 0 }: TenantPlace,
  options: TenantOptions,
  deviate: (state: TenantState, chosen: ModificationNames) => void,
): TenantState {
  const { vendor = defaultVendor } = options
  const limits = { ...retention, ...options.retention }
  const identifiers = identifiersOf(vendor, options.identifiers)
  // Keys and agents are those of the seed in every life; what is made on the way is new in each.
  const first = createRandom(seed)
  const random = life === 0 ? first : createRandom(`${seed}/life ${life}`)
  const principals = makePrincipals(first.fork('ids'))
  const { agents, accounts } = principals
  const clock = createClock(options.clock, options.machine)
  const letGo: TenantState['letGo'] = {}
  const remember: Remember = (kind, limit, how = {}) =>
    new Book({
      kind,
      changes,
      limit,
      now: () => clock.now(),
      letGo: () => void (letGo[kind] = (letGo[kind] ?? 0) + 1),
      ...how,
    })
  const deliveries = random.fork('deliveries')
  let outbox: DeliveryScheduler | undefined
  const state: TenantState = {
    ...principals,
    seed,
    random,
    vendor: vendor.toLowerCase(),
    identifiers,
    clock,
    barriers: createBarriers(),
    journal: journalOf(options, identifiers),
    changes,
    letGo,
    conversations: remember<Conversation>('conversation', limits.conversations, { order: 'used' }),
    offers: remember<Offer>('offer', limits.offers, { sizeOf: offerSize }),
    keys: createKeyBook(remember('key', limits.keys, { inUse: isRunning, sizeOf: keySize })),
    webhooks: remember<Webhook>('webhook', limits.webhooks),
    get outbox() {
      return (outbox ??= new DeliveryScheduler(state, limits.deliveries, deliveries))
    },
    older: createOlderBooks(first.fork('older'), { agents, accounts, remember, retention: limits }),
    operations: createOperationStore(() => random.fork('operations'), { remember, retention: limits }),
    rates: createRateMeter(),
    presentations: 0,
    replyRules: [...(options.replyRules ?? []), ...replyRuleFixtures],
    outages: [],
    networkFaults: createNetworkFaultBook(options.networkFaults),
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
