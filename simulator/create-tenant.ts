/** Sets a tenant up and gives those who own it a hold on it. */
import { withTargets } from './webhooks/guard/addresses.ts'
import { claimKey, keyId } from './chat/claim.ts'
import { endTurns } from './chat/run.ts'
import { applyModifications, type Modification } from './modification/modification.ts'
import { webhookEvents, type WebhookEvent } from '../spec/index.ts'
import type { JsonObject } from './json.ts'
import { faults } from './faults/index.ts'
import { faultsNamed, variantsNamed } from './modification-names.ts'
import { variants } from './variants/index.ts'
import type { Tenant, TenantOptions } from './tenant-handle.ts'
import { doubtRun, ownerOf } from './operations/approvals.ts'
import { lapseUpload } from './operations/uploads/step.ts'
import {
  proveRestorable,
  readSnapshot,
  snapshotIn,
  takeSnapshot,
  takeSnapshotText,
  wakeRestored,
  type Snapshot,
} from './persistence/snapshot.ts'
import { prepareSituation } from './situations/situations.ts'
import { toCredits, shownCredits, type Account } from './tenant/conversations.ts'
import { createTenantState, type TenantPlace } from './create-tenant-state.ts'
import { Crashed } from './clock/barriers.ts'
import {
  type AgentRole,
  type KeyRole,
  type SessionRole,
  accountFixtures,
  agentFixtures,
  replyRuleFixtures,
} from './tenant/fixtures.ts'
import type { Agent, ApiKey } from './tenant/principals.ts'
import type { ModificationNames, TenantState } from './rules/tenant-state.ts'
import { withoutKeys } from './tenant/redacted.ts'

/** A request that never came, so that a key can be claimed without one. */
function claimUnseen(state: TenantState, apiKey: ApiKey, agent: Agent, key: string): void {
  const request = { message: '', conversationId: null, stream: false, interaction: null, text: '' }
  const asked = { apiKey, agent, request, key }
  const record = state.keys.find(keyId(state, asked))
  state.keys.settle(record ?? claimKey(state, state.keys, asked), { is: 'uncertain' })
}

export function createTenant(place: TenantPlace, options: TenantOptions = {}): Tenant {
  const state = createTenantState(place, options, (made, chosen) => turnOn(made, chosen, options))
  state.operations.pace = options.tasks ?? null
  state.deviate(options)

  const tenant: Tenant = {
    id: state.id,
    seed: state.seed,
    vendor: state.vendor,
    identifiers: state.identifiers,
    sessions: byRole<SessionRole>([...state.sessions.values()].map(({ name, token }) => [name, token])),
    ...shownKeys(state),
    agents: byRole<AgentRole>([...state.agents.values()].map(({ name, id }) => [name, id])),
    clock: state.clock,
    barriers: state.barriers,
    journal: state.journal,
    state,
    get url() {
      return place.url()
    },
    get interpretations() {
      return state.interpretations
    },
    get faults() {
      return faultsNamed(state.modifications.faults)
    },
    get variants() {
      return variantsNamed(state.modifications.variants)
    },
    setModifications: (chosen) => state.deviate(chosen),
    ...controls(state),
    ...ownerOf(state),
    prepareSituation: (name, options) => prepareSituation(tenant, name, options),
    reset: () => {
      endInFlight(state, 'The tenant was reset.')
      restoreFixtures(state, options)
      state.operations.pace = options.tasks ?? null
      state.deviate({})
    },
    snapshot: () => takeSnapshot(state, options),
    snapshotText: (mostBytes) => takeSnapshotText(state, options, mostBytes),
    restore: (snapshot) => {
      proveRestorable(state, options, snapshotIn(snapshot))
      proveReadable(place.seed, options, snapshot)
      tenant.reset()
      readSnapshot(state, structuredClone(snapshot))
      wakeRestored(state, snapshot)
    },
    close: () => {
      // First, while it still is as others know it.
      place.onClose(tenant)
      state.clock.close(endInFlight(state, 'The tenant was closed.'))
      state.journal.close()
      state.outbox.close()
      state.apiKeys.clear()
      state.older.apiKeys.clear()
      state.sessions.clear()
    },
    [Symbol.dispose]: () => tenant.close(),
  }
  return tenant
}

/** Ends turns and whatever else waits within a tenant, as a crash of the service would: nothing of it is committed. */
function endInFlight(state: TenantState, words: string): Crashed {
  const reason = new Crashed(words)
  endTurns(state, reason)
  state.barriers.end(reason)
  state.clock.endTimers(reason)
  return reason
}

/** Throws a RangeError where an entry of a snapshot cannot be read: tried in a tenant that nobody uses. */
function proveReadable(seed: string, options: TenantOptions, snapshot: Snapshot): void {
  // No `using`: Node 22 does not have it.
  const trial = createTenant({ seed, url: () => '', shared: new Map(), onClose: () => undefined }, options)
  try {
    readSnapshot(trial.state, structuredClone(snapshot))
  } catch (error) {
    throw new RangeError(
      `The snapshot cannot be restored: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  } finally {
    trial.close()
  }
}

/** The API keys as they are handed out. */
function shownKeys({ apiKeys, older, agents, rules }: TenantState): Pick<Tenant, 'keys' | 'olderKeys'> {
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
  state: TenantState,
  { faults: broken = [], variants: odd = [], interpretations }: ModificationNames,
  { unlimited, legacy = false, targets = {} }: TenantOptions,
): void {
  const modifications: readonly Modification[] = [
    ...faultsNamed(broken).map((name) => faults[name]),
    ...variantsNamed(odd).map((name) => variants[name]),
  ]
  applyModifications(
    state,
    modifications,
    legacy ? { 'GAP-OLDER-SERVED': 'yes', ...interpretations } : interpretations,
  )
  state.rules.guard = withTargets(state.rules.guard, targets)
  Object.assign(state.modifications, {
    faults: broken,
    variants: odd,
    interpretations: interpretations ?? {},
  })
  // A bucket keeps one number per key, however many requests come.
  if (unlimited) state.rules.rate = { kind: 'bucket', limit: Number.MAX_SAFE_INTEGER, windowMs: 60_000 }
}

function controls(state: TenantState) {
  const find = lookUps(state)
  const subject = (apiKey = 'main'): string => state.rules.rateSubject(find.apiKey(apiKey))
  return {
    emit: (event, { agent = 'plain', payload } = {}) => happen(state, event, find.agent(agent).id, payload),
    deliveries: (webhookId) =>
      (webhookId === undefined ? [...state.webhooks.keys()] : [webhookId]).flatMap((id) =>
        state.outbox.deliveriesOf(id),
      ),
    again: (deliveryId, { sameId = false } = {}) => {
      const delivery = state.outbox.again(deliveryId, { sameId })
      if (delivery) return delivery.id
      throw new RangeError(
        `There is no delivery ${JSON.stringify(deliveryId)} in this tenant, or it was forgotten.`,
      )
    },
    setWebhookActive: (id, active) => {
      const webhook = state.webhooks.get(id)
      if (!webhook) throw new RangeError(`There is no webhook ${JSON.stringify(id)} in this tenant.`)
      webhook.isActive = active
      state.webhooks.touch(id)
    },
    plan: (account) => find.account(account).plan,
    setPlan: (account, plan) => void (find.account(account).plan = plan),
    markRunUncertain: ({ key, apiKey = 'main' }) => doubtRun(state, find.apiKey(apiKey), key),
    lapseUpload: ({ key, apiKey = 'main' }) => lapseUpload(state, find.apiKey(apiKey), key),
    pause: (agent) => void (find.agent(agent).paused = true),
    resume: (agent) => void (find.agent(agent).paused = false),
    setAllowed: (agent, allowed) => void (find.agent(agent).allowed = allowed),
    setCredits: (account, amount) => void (find.account(account).balance = toCredits(amount)),
    credits: (account) => shownCredits(find.account(account).balance),
    markUncertain: ({ key, apiKey = 'main', agent = 'plain' }) =>
      claimUnseen(state, find.apiKey(apiKey), find.agent(agent), key),
    exhaustRate: (apiKey) => state.rates.exhaust(subject(apiKey), state.rules.rate, state.clock.now()),
    resetRate: (apiKey) => state.rates.reset(subject(apiKey)),
    fail: (outage) => {
      const { agent, apiKey = '' } = outage
      // It may be kept, and a token is not.
      const role = (state.apiKeys.get(apiKey) ?? state.older.apiKeys.get(apiKey))?.name
      state.outages.push({ ...outage, agent: agent && find.agent(agent).id, apiKey: role })
    },
    addNetworkFaults: (networkFaults) => state.networkFaults.add(networkFaults),
    clearNetworkFaults: () => state.networkFaults.clear(),
    clearFailures: () => void state.outages.splice(0),
    addReplyRules: (replyRules) => void state.replyRules.unshift(...replyRules),
  } satisfies Partial<Tenant>
}

/** Gives the ids of the deliveries that come of it. */
function happen(
  state: TenantState,
  event: WebhookEvent,
  agent: string,
  payload?: JsonObject,
): readonly string[] {
  if (!Object.hasOwn(webhookEvents, event))
    throw new RangeError(
      `There is no event ${JSON.stringify(event)}; there are: ${Object.keys(webhookEvents).join(', ')}.`,
    )
  const occurrence = {
    event,
    agent,
    at: state.clock.date(),
    payload: payload ?? state.rules.payload(event, state),
    test: false,
  }
  return state.outbox.emit(occurrence).map(({ id }) => id)
}

/** Finds what is meant by an id or by a role. */
function lookUps(state: TenantState) {
  const { agents, accounts } = state
  const apiKeys = new Map([...state.apiKeys, ...state.older.apiKeys])
  const missing = (kind: string, given: string): never => {
    throw new RangeError(
      `There is no ${kind} ${JSON.stringify(withoutKeys(given))} in this tenant; give an id or a role.`,
    )
  }
  const apiKeyOf = (given: string): ApiKey | undefined =>
    apiKeys.get(state.rules.bearer(`Bearer ${given}`) ?? '') ??
    [...apiKeys.values()].find(({ name }) => name === given)
  return {
    apiKey: (given: string): ApiKey => apiKeyOf(given) ?? missing('API key', '(not shown)'),
    agent: (given: string): Agent =>
      agents.get(given) ?? [...agents.values()].find(({ name }) => name === given) ?? missing('agent', given),
    account: (given: string): Account =>
      accounts.get(given) ??
      accounts.get(apiKeyOf(given)?.account ?? '') ??
      [...accounts.values()].find(({ name }) => name === given) ??
      missing('account', given),
  }
}

/** Everything but ids, keys, clock and chance goes back to where it was at the start. */
function restoreFixtures(state: TenantState, { replyRules = [], networkFaults = [] }: TenantOptions): void {
  state.outbox.clear()
  state.webhooks.clear()
  state.operations.clear()
  state.older.histories.clear()
  for (const book of [state.conversations, state.offers, state.keys, state.rates, state.journal]) book.clear()
  state.outages.splice(0)
  state.networkFaults.clear()
  state.networkFaults.add(networkFaults)
  state.replyRules.splice(0, Infinity, ...replyRules, ...replyRuleFixtures)
  for (const account of state.accounts.values()) {
    const { credits, plan } = accountFixtures[account.name as keyof typeof accountFixtures]
    Object.assign(account, { balance: toCredits(credits), plan })
  }
  for (const agent of state.agents.values()) {
    const fixture = agentFixtures[agent.name as AgentRole]
    agent.paused = 'paused' in fixture
    agent.allowed = !('forbidden' in fixture)
  }
}
