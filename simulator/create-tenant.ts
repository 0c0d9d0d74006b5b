/** Sets a world up and gives those who own it a hold on it. */
import { claimKey, keyId } from './chat/claim.ts'
import { applyDeviations } from './deviations/apply.ts'
import { defaultVendor, identifiersOf } from '../spec/identifiers.ts'
import { webhookEvents, type WebhookEvent } from '../spec/index.ts'
import type { JsonObject } from './json.ts'
import type { Deviation } from './deviations/deviation.ts'
import { faults } from './deviations/faults.ts'
import { faultsNamed, variantsNamed } from './deviations/names.ts'
import { variants } from './deviations/variants.ts'
import type { Deviations, Tenant, TenantOptions } from './tenant.ts'
import { doubtRun, ownerOf, type Owner } from './operations/owner.ts'
import { lapseUpload } from './operations/upload-renewal.ts'
import { limits } from './limits.ts'
import { lookUps } from './look-ups.ts'
import { prepareSituation } from './situations/situations.ts'
import { withTargets } from './webhooks/guard-rules.ts'
import { nothingKept, type Changes } from './world/changes.ts'
import { createWorld } from './world/create.ts'
import { creditsOf, shown, type Account } from './world/credits.ts'
import {
  accountFixtures,
  agentFixtures,
  replyRuleFixtures,
  type AgentRole,
  type KeyRole,
  type SessionRole,
} from './world/fixtures.ts'
import type { Agent, ApiKey } from './world/principals.ts'
import { retention } from './world/retention.ts'
import type { World } from './world/world.ts'

/** Where a tenant stands among others. */
export interface TenantPlace {
  readonly seed: string
  /** Base address, known once the door is open. */
  url(): string
  readonly shared: Map<string, unknown>
  /** Where its world tells what changes. Default: nowhere. */
  readonly changes?: Changes
  /** How often it was taken up from where it is kept. Default 0: it is new. */
  readonly life?: number
  /** The options as text. What is kept of settings counts only where it was begun with the same. */
  readonly begunWith?: string
  onClose(tenant: Tenant): void
}

/** Everything but ids, keys, clock and chance goes back to where it was at the start. */
function restoreFixtures(world: World, { replyRules = [], disturbances = [] }: TenantOptions): void {
  world.barriers.clear()
  world.outbox.clear()
  world.webhooks.clear()
  world.operations.clear()
  world.older.clear()
  for (const book of [world.conversations, world.offers, world.keys, world.rates, world.journal]) book.clear()
  world.outages.splice(0)
  world.disturbances.clear()
  world.disturbances.add(disturbances)
  world.replyRules.splice(0, Infinity, ...replyRules, ...replyRuleFixtures)
  for (const account of world.accounts.values()) {
    const { credits, plan } = accountFixtures[account.name as keyof typeof accountFixtures]
    Object.assign(account, { balance: creditsOf(credits), plan })
    world.changes.mark('account', account.id)
  }
  for (const agent of world.agents.values()) {
    const fixture = agentFixtures[agent.name as AgentRole]
    agent.paused = 'paused' in fixture
    agent.allowed = !('forbidden' in fixture)
  }
}

/** A request that never came, so that a key can be claimed without one. */
function claimUnseen(world: World, apiKey: ApiKey, agent: Agent, key: string): void {
  const request = { message: '', conversationId: null, stream: false, interaction: null, text: '' }
  const asked = { apiKey, agent, request, key }
  const record = world.keys.find(keyId(world, asked))
  world.keys.settle(record ?? claimKey(world, world.keys, asked), { is: 'uncertain' })
}

function beginWorld(
  { seed, shared, changes = nothingKept, life = 0, begunWith = '' }: TenantPlace,
  options: TenantOptions,
): World {
  const {
    replyRules = [],
    disturbances = [],
    clock = { mode: 'real' },
    journalCapacity = limits.journalEntries,
    journalBytes = limits.journalBytes,
    journalCredentials = 'redacted',
    vendor = defaultVendor,
  } = options
  return createWorld({
    seed,
    vendor: vendor.toLowerCase(),
    identifiers: identifiersOf(vendor, options.identifiers),
    shared,
    clock,
    replyRules,
    disturbances,
    journalCapacity,
    journalBytes,
    journalCredentials,
    changes,
    retention: { ...retention, ...options.retention },
    life,
    begunWith,
    deviate: (world, chosen) => turnOn(world, chosen, options),
  })
}

export function createTenant(place: TenantPlace, options: TenantOptions = {}): Tenant {
  const world = beginWorld(place, options)
  world.operations.pace = options.tasks ?? null
  world.deviate(options)

  const tenant: Tenant = {
    id: world.id,
    seed: world.seed,
    vendor: world.vendor,
    identifiers: world.identifiers,
    sessions: byRole<SessionRole>([...world.sessions.values()].map(({ name, token }) => [name, token])),
    ...shownKeys(world),
    agents: byRole<AgentRole>([...world.agents.values()].map(({ name, id }) => [name, id])),
    clock: world.clock,
    barriers: world.barriers,
    journal: world.journal,
    world,
    get url() {
      return place.url()
    },
    get readings() {
      return world.readings
    },
    get faults() {
      return world.deviations.faults
    },
    get variants() {
      return world.deviations.variants
    },
    setDeviations: (chosen) => world.deviate(chosen),
    ...controls(world),
    ...ownerOf(world),
    prepareSituation: (name, options) => prepareSituation(tenant, name, options),
    reset: () => {
      restoreFixtures(world, options)
      world.operations.pace = options.tasks ?? null
      world.deviate({})
    },
    close: () => {
      world.barriers.clear()
      world.clock.close()
      world.journal.close()
      world.outbox.close()
      place.onClose(tenant)
      world.apiKeys.clear()
      world.older.apiKeys.clear()
      world.sessions.clear()
    },
    [Symbol.dispose]: () => tenant.close(),
  }
  return tenant
}

/** The API keys as those who get them are told them. */
function shownKeys({ apiKeys, older, agents, rules }: World): Pick<Tenant, 'keys' | 'olderKeys'> {
  const current = [...apiKeys.values()].map(({ name, token }) => [name, rules.shownKey(token)] as const)
  const apart = [...older.apiKeys.values()].map(
    ({ agent, token }) => [agents.get(agent ?? '')?.name ?? '', rules.shownKey(token)] as const,
  )
  return { keys: byRole<KeyRole>(current), olderKeys: byRole<AgentRole>(apart) }
}

function byRole<R extends string>(
  rows: readonly (readonly [name: string, value: string])[],
): Record<R, string> {
  return Object.fromEntries(rows) as Record<R, string>
}

/** Throws on an unknown name, and then changes nothing. */
function turnOn(
  world: World,
  { faults: broken = [], variants: odd = [], readings }: Deviations,
  { unlimited, legacy = false, targets = {} }: TenantOptions,
): void {
  const deviations: readonly Deviation[] = [
    ...faultsNamed(broken).map((name) => faults[name]),
    ...variantsNamed(odd).map((name) => variants[name]),
  ]
  applyDeviations(world, deviations, legacy ? { 'GAP-OLDER-SERVED': 'yes', ...readings } : readings)
  world.rules.guard = withTargets(world.rules.guard, targets)
  Object.assign(world.deviations, { faults: broken, variants: odd, readings: readings ?? {} })
  // A bucket keeps one number per key, however many requests come.
  if (unlimited) world.rules.rate = { kind: 'bucket', limit: Number.MAX_SAFE_INTEGER, windowMs: 60_000 }
}

type Controls = Omit<
  Tenant,
  | 'id'
  | 'seed'
  | 'vendor'
  | 'identifiers'
  | 'url'
  | 'keys'
  | 'sessions'
  | 'olderKeys'
  | 'agents'
  | 'clock'
  | 'barriers'
  | 'journal'
  | 'readings'
  | 'faults'
  | 'variants'
  | 'world'
  | 'setDeviations'
  | 'prepareSituation'
  | 'reset'
  | keyof Owner
  | 'close'
  | typeof Symbol.dispose
>

/** What can be done to a world from outside of it. */
function controls(world: World): Controls {
  const find = lookUps(world)
  const changed = (account: Account, change: Partial<Pick<Account, 'plan' | 'balance'>>): void => {
    Object.assign(account, change)
    world.changes.mark('account', account.id)
  }
  const subject = (apiKey = 'main'): string => world.rules.rateSubject(find.apiKey(apiKey))
  return {
    emit: (event, { agent = 'plain', payload } = {}) => happen(world, event, find.agent(agent).id, payload),
    deliveries: (webhookId) =>
      (webhookId === undefined ? [...world.webhooks.keys()] : [webhookId]).flatMap((id) =>
        world.outbox.deliveriesOf(id),
      ),
    again: (deliveryId, { sameId = false } = {}) => {
      const delivery = world.outbox.again(deliveryId, { sameId })
      if (delivery) return delivery.id
      throw new RangeError(
        `There is no delivery ${JSON.stringify(deliveryId)} in this tenant, or it was forgotten.`,
      )
    },
    setWebhookActive: (id, active) => {
      const webhook = world.webhooks.get(id)
      if (!webhook) throw new RangeError(`There is no webhook ${JSON.stringify(id)} in this tenant.`)
      webhook.isActive = active
      world.webhooks.touch(id)
    },
    plan: (account) => find.account(account).plan,
    setPlan: (account, plan) => changed(find.account(account), { plan }),
    markRunUncertain: ({ key, apiKey = 'main' }) => doubtRun(world, find.apiKey(apiKey), key),
    lapseUpload: ({ key, apiKey = 'main' }) => lapseUpload(world, find.apiKey(apiKey), key),
    pause: (agent) => void (find.agent(agent).paused = true),
    resume: (agent) => void (find.agent(agent).paused = false),
    setAllowed: (agent, allowed) => void (find.agent(agent).allowed = allowed),
    setCredits: (account, amount) => changed(find.account(account), { balance: creditsOf(amount) }),
    credits: (account) => shown(find.account(account).balance),
    markUncertain: ({ key, apiKey = 'main', agent = 'plain' }) =>
      claimUnseen(world, find.apiKey(apiKey), find.agent(agent), key),
    exhaustRate: (apiKey) => world.rates.exhaust(subject(apiKey), world.rules.rate, world.clock.now()),
    resetRate: (apiKey) => world.rates.reset(subject(apiKey)),
    fail: (outage) => {
      const { agent, apiKey = '' } = outage
      // It may be kept, and a token is not.
      const role = (world.apiKeys.get(apiKey) ?? world.older.apiKeys.get(apiKey))?.name
      world.outages.push({
        ...outage,
        ...(agent === undefined ? {} : { agent: find.agent(agent).id }),
        ...(role === undefined ? {} : { apiKey: role }),
      })
    },
    disturb: (disturbances) => world.disturbances.add(disturbances),
    clearDisturbances: () => world.disturbances.clear(),
    clearFailures: () => void world.outages.splice(0),
    addReplyRules: (replyRules) => void world.replyRules.unshift(...replyRules),
  }
}

/** Gives the ids of the deliveries that come of it. */
function happen(world: World, event: WebhookEvent, agent: string, payload?: JsonObject): readonly string[] {
  if (!Object.hasOwn(webhookEvents, event))
    throw new RangeError(
      `There is no event ${JSON.stringify(event)}; there are: ${Object.keys(webhookEvents).join(', ')}.`,
    )
  const occurrence = {
    event,
    agent,
    at: world.clock.date(),
    payload: payload ?? world.rules.payload(event, world),
    test: false,
  }
  return world.outbox.emit(occurrence).map(({ id }) => id)
}
