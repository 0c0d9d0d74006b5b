/** One tenant of a simulator in another process, with the methods of a tenant in this one. */
import type { ReplyRule } from '../tenant/reply-rule.ts'
import type { StateId, WebhookEvent } from '../../spec/index.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import type { components } from '../../spec/types/control.ts'
import type { JsonObject } from '../json.ts'
import type { NetworkFault } from '../tenant/network-fault.ts'
import type { TaskPace } from '../tenant/operations/operation.ts'
import type { ApprovalDecision } from '../tenant/operations/store.ts'
import type { TaskStep } from '../operations/tasks.ts'
import type { PreparedSituations, SituationName, SituationOptions } from '../prepared.ts'
import type { Modifications } from '../tenant-handle.ts'
import type { AccountRole, AgentRole, KeyRole, SessionRole } from '../tenant/fixtures.ts'
import type { BarrierMatch } from '../clock/barriers.ts'
import { ofTenant, type ControlApi, type TenantApi } from './api.ts'
import { journalOf } from './journal.ts'

type Schemas = components['schemas']

/** The methods of a tenant, whoever created it. All reject with a ControlError when the simulator refuses. */
export type TenantControl = ReturnType<typeof tenantControl>

export interface ControlledTenant extends TenantControl {
  readonly id: string
  readonly seed: string
  /** What the service writes where the contract has `service`. */
  readonly vendor: string
  readonly identifiers: Identifiers
  /** Base address of the service, without a trailing slash. */
  readonly url: string
  /** Base address of the control routes of the tenant. */
  readonly control: string
  readonly keys: Readonly<Record<KeyRole, string>>
  readonly agents: Readonly<Record<AgentRole, string>>
  readonly accounts: Readonly<Record<AccountRole, string>>
  /** Tokens of signed-in users by role. */
  readonly sessions: Readonly<Record<SessionRole, string>>
}

export function tenantControl(api: ControlApi, tenantId: string) {
  const at = ofTenant(api, tenantId)
  /** Deletes the tenant: its keys are invalid from now on. */
  const close = async (): Promise<void> => void (await at.delete(''))
  return {
    clock: clockOf(at),
    barriers: barriersOf(at),
    journal: journalOf(api, tenantId),
    snapshots: snapshotsOf(at),
    ...contentsOf(at),
    read: () => at.get(''),
    /** Back to the fixtures and to no modifications; ids and keys stay. */
    reset: async (): Promise<void> => void (await at.post('/reset')),
    close,
    [Symbol.asyncDispose]: close,
    ...principals(at),
    ...behaviour(at),
    ...webhooksOf(at),
    ...ownerOf(at),
  }
}

/** What the tenant contains, and what its next requests meet. `limit`: the newest; 100 if not given. */
const contentsOf = (at: TenantApi) => ({
  /** Keys, sessions and ids, as the creation of the tenant returned them. */
  credentials: () => at.get('/credentials'),
  replyRules: () => at.get('/reply-rules'),
  networkFaults: async () => (await at.get('/network-faults')).networkFaults,
  failures: async () => (await at.get('/failures')).failures,
  idempotencyKeys: (query: { limit?: number } = {}) => at.get('/keys', { query }),
  turns: async () => (await at.get('/turns')).turns,
  webhooks: async () => (await at.get('/webhooks')).webhooks,
  uploads: async () => (await at.get('/uploads')).uploads,
})

function principals(at: TenantApi) {
  const agent = async (agentId: string, body: Schemas['AgentUpdate']): Promise<void> =>
    void (await at.patch('/agents/{agentId}', { agentId, body }))
  const account = async (accountId: string, body: Schemas['AccountUpdate']): Promise<void> =>
    void (await at.patch('/accounts/{accountId}', { accountId, body }))
  return {
    pause: (agentId: string) => agent(agentId, { paused: true }),
    resume: (agentId: string) => agent(agentId, { paused: false }),
    /** Whether the plan allows an agent. */
    setAllowed: (agentId: string, allowed: boolean) => agent(agentId, { allowed }),
    /** `amount` in credits. */
    setCredits: (accountId: string, amount: number) => account(accountId, { credits: amount }),
    setPlan: (accountId: string, plan: string) => account(accountId, { plan }),
  }
}

const behaviour = (at: TenantApi) => ({
  /** Replaces faults, variants and interpretations; what is not given returns to the default. */
  setModifications: async ({
    faults = [],
    variants = [],
    interpretations = {},
  }: Modifications): Promise<void> =>
    void (await at.patch('', { body: { faults, variants, interpretations } })),
  setTaskPace: async (tasks: TaskPace): Promise<void> => void (await at.patch('', { body: { tasks } })),
  /** Enters a state until `leave` is called. `setting`: what to send to meet the state. */
  enterState: async (state: StateId, body: Schemas['StateRequest'] = {}) => {
    const { handle, setting } = await at.post('/states/{state}', { state, body })
    const leave = async (): Promise<void> =>
      void (await at.delete('/states/{state}/{handle}', { state, handle }))
    return { setting, leave }
  },
  /** Matched before the existing reply rules. */
  addReplyRules: async (replyRules: readonly ReplyRule[]): Promise<void> =>
    void (await at.put('/reply-rules', { body: { replyRules } })),
  /** Puts the tenant into a situation, and returns what a client needs in it. */
  prepareSituation: async <N extends SituationName>(
    situation: N,
    body: SituationOptions = {},
  ): Promise<PreparedSituations[N]> =>
    (await at.post('/situations/{situation}', { situation, body })) as unknown as PreparedSituations[N],
  addNetworkFaults: async (networkFaults: readonly NetworkFault[]): Promise<void> =>
    void (await at.post('/network-faults', { body: { networkFaults } })),
  clearNetworkFaults: async (): Promise<void> => void (await at.delete('/network-faults')),
  fail: async (body: Schemas['FailureRequest']): Promise<void> => void (await at.post('/failures', { body })),
  clearFailures: async (): Promise<void> => void (await at.delete('/failures')),
})

const webhooksOf = (at: TenantApi) => ({
  /** Emits a webhook event; returns the ids of its deliveries. `agent`: id or role. */
  emit: async (event: WebhookEvent, { agent, payload }: { agent?: string; payload?: JsonObject } = {}) => {
    return (await at.post('/events', { body: { event, agentId: agent, payload } })).deliveries
  },
  deliveries: async (webhookId?: string) =>
    (await at.get('/deliveries', { query: { webhookId } })).deliveries,
  /** What each attempt sent, as far as it is remembered: of every delivery with this id, the oldest first. */
  sentAttempts: async (deliveryId: string) =>
    (await at.get('/deliveries/{deliveryId}/attempts', { deliveryId })).attempts,
  /** Delivers an event again; returns the id of the delivery. */
  again: async (deliveryId: string, { sameId = false }: { sameId?: boolean } = {}) =>
    (await at.post('/deliveries/{deliveryId}/again', { deliveryId, body: { sameId } })).delivery,
})

/** Decisions of the owner of the account. */
const ownerOf = (at: TenantApi) => ({
  approvals: async () => (await at.get('/approvals')).approvals,
  decide: (approvalId: string, decision: ApprovalDecision) =>
    at.post('/approvals/{approvalId}', { approvalId, body: { decision } }),
  /** The upload that was prepared with this idempotency key has expired from now on. */
  lapseUpload: async (body: Schemas['LapseRequest']): Promise<void> =>
    void (await at.post('/uploads/lapse', { body })),
  tasks: async () => (await at.get('/tasks')).tasks,
  stepTask: (taskId: string, step: TaskStep) => at.post('/tasks/{taskId}', { taskId, body: { step } }),
})

/** Snapshots of a tenant in another process. */
export type SnapshotDocument = components['schemas']['Snapshot']

const snapshotsOf = (at: TenantApi) => ({
  /** The state of the tenant; given a name, the snapshot that is saved under it. */
  download: (name?: string): Promise<SnapshotDocument> =>
    name === undefined ? at.get('/snapshot') : at.get('/snapshots/{name}', { name }),
  list: async () => (await at.get('/snapshots')).snapshots,
  /** In the memory of the simulator; replaces a snapshot of the same name. */
  save: (name: string) => at.put('/snapshots/{name}', { name }),
  /** The tenant returns to the state of a saved snapshot, or of a document of its own. */
  restore: async (snapshot: string | SnapshotDocument): Promise<void> => {
    if (typeof snapshot === 'string') await at.post('/snapshots/{name}/restore', { name: snapshot })
    else await at.put('/snapshot', { body: snapshot })
  },
  delete: async (name: string): Promise<void> => void (await at.delete('/snapshots/{name}', { name })),
})

export type ClockState = Schemas['ClockState']
export type ControlledClock = ReturnType<typeof clockOf>

function clockOf(at: TenantApi) {
  const set = (body: Schemas['ClockSetting']): Promise<ClockState> => at.put('/clock', { body })
  return {
    read: () => at.get('/clock'),
    /** Stops time, at `at` or now; only `advance` moves it. */
    freeze: (moment?: Date) => set({ mode: 'frozen', at: moment?.toISOString() }),
    /** Moves time ahead, runs what is due in order, and resolves when what it started has settled. */
    advance: (ms: number) => at.post('/clock/advance', { body: { ms } }),
    /** Time runs `factor` times as fast as real time. */
    scale: (factor: number) => set({ mode: 'scaled', factor }),
    offset: (ms: number) => set({ mode: 'offset', ms }),
    real: () => set({ mode: 'real' }),
  }
}

export type ControlledBarriers = ReturnType<typeof barriersOf>
export type ControlledBarrier = ReturnType<ControlledBarriers['find']>

function barrierRequestOf({ at, agent, key, times }: BarrierMatch): Schemas['BarrierRequest'] {
  const [, tokens] = /^after-token:(\d+)$/.exec(at) ?? []
  return {
    point: tokens === undefined ? (at as Schemas['BarrierPoint']) : 'after-token',
    n: tokens === undefined ? undefined : Number(tokens),
    agentId: agent,
    idempotencyKey: key,
    times,
  }
}

function barriersOf(at: TenantApi) {
  /** A barrier by its id, such as one of a prepared situation. */
  const find = (id: string) => ({
    id,
    /** Resolves once `count` turns in all have reached it; rejects after `timeoutMs`. */
    reached: async (count = 1, { timeoutMs = 5_000 }: { timeoutMs?: number } = {}): Promise<void> => {
      const query = { count, timeoutMs }
      const { came, timedOut } = await at.get('/barriers/{barrierId}/reached', { barrierId: id, query })
      if (timedOut)
        throw new Error(
          `${came} of ${count} expected turns reached the barrier ${id} within ${timeoutMs} ms.`,
        )
    },
    /** Continues all stopped turns and removes the barrier. Returns how many there were. */
    release: async (): Promise<number> =>
      (await at.post('/barriers/{barrierId}/release', { barrierId: id })).turns,
    /** Kills all stopped turns and removes the barrier. Returns how many there were. */
    crash: async (): Promise<number> =>
      (await at.post('/barriers/{barrierId}/crash', { barrierId: id })).turns,
  })
  return {
    /** `agent` is an id. */
    hold: async (match: BarrierMatch) =>
      find((await at.post('/barriers', { body: barrierRequestOf(match) })).id),
    list: async () => (await at.get('/barriers')).barriers,
    find,
  }
}
