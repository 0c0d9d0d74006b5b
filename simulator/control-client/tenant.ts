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
import { immutableBody, dataOf, type ControlApi } from './api.ts'
import { barriersOf } from './barriers.ts'
import { clockOf } from './clock.ts'
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
  /** Agent ids by role. */
  readonly agents: Readonly<Record<AgentRole, string>>
  /** Account ids by role. */
  readonly accounts: Readonly<Record<AccountRole, string>>
  /** Tokens of signed-in users by role. */
  readonly sessions: Readonly<Record<SessionRole, string>>
}

export function tenantControl(api: ControlApi, tenantId: string) {
  const params = { path: { tenantId } }
  /** Deletes the tenant: its keys are invalid from now on. */
  const close = async (): Promise<void> => {
    await api.DELETE('/_sim/v1/tenants/{tenantId}', { params })
  }
  return {
    clock: clockOf(api, tenantId),
    barriers: barriersOf(api, tenantId),
    journal: journalOf(api, tenantId),
    snapshots: snapshotsOf(api, tenantId),
    ...contentsOf(api, tenantId),
    read: () => dataOf(api.GET('/_sim/v1/tenants/{tenantId}', { params })),
    /** Back to the fixtures and to no modifications; ids and keys stay. */
    reset: async (): Promise<void> => {
      await api.POST('/_sim/v1/tenants/{tenantId}/reset', { params })
    },
    close,
    [Symbol.asyncDispose]: close,
    ...principals(api, tenantId),
    ...behaviour(api, tenantId),
    ...webhooksOf(api, tenantId),
    ...ownerOf(api, tenantId),
  }
}

/** What the tenant contains, and what its next requests meet. `limit`: the newest; 100 if not given. */
function contentsOf(api: ControlApi, tenantId: string) {
  const path = { tenantId }
  const params = { path }
  return {
    /** Keys, sessions and ids, as the creation of the tenant returned them. */
    credentials: () => dataOf(api.GET('/_sim/v1/tenants/{tenantId}/credentials', { params })),
    replyRules: () => dataOf(api.GET('/_sim/v1/tenants/{tenantId}/reply-rules', { params })),
    networkFaults: async () =>
      (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/network-faults', { params }))).networkFaults,
    failures: async () =>
      (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/failures', { params }))).failures,
    idempotencyKeys: (query: { limit?: number } = {}) =>
      dataOf(api.GET('/_sim/v1/tenants/{tenantId}/keys', { params: { path, query } })),
    /** Turns in flight. */
    turns: async () => (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/turns', { params }))).turns,
    webhooks: async () =>
      (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/webhooks', { params }))).webhooks,
    uploads: async () => (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/uploads', { params }))).uploads,
  }
}

function principals(api: ControlApi, tenantId: string) {
  const agent = async (agentId: string, body: Schemas['AgentUpdate']): Promise<void> => {
    await api.PATCH('/_sim/v1/tenants/{tenantId}/agents/{agentId}', {
      params: { path: { tenantId, agentId } },
      body,
    })
  }
  const account = async (accountId: string, body: Schemas['AccountUpdate']): Promise<void> => {
    await api.PATCH('/_sim/v1/tenants/{tenantId}/accounts/{accountId}', {
      params: { path: { tenantId, accountId } },
      body,
    })
  }
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

function behaviour(api: ControlApi, tenantId: string) {
  const params = { path: { tenantId } }
  const update = async (body: Schemas['TenantUpdate']): Promise<void> => {
    await api.PATCH('/_sim/v1/tenants/{tenantId}', { params, body })
  }
  return {
    /** Replaces faults, variants and interpretations; what is not given returns to the default. */
    setModifications: ({ faults = [], variants = [], interpretations = {} }: Modifications) =>
      update(immutableBody({ faults, variants, interpretations })),
    setTaskPace: (tasks: TaskPace) => update({ tasks }),
    /** Enters a state until `leave` is called. `setting`: what to send to meet the state. */
    enterState: async (state: StateId, body: Schemas['StateRequest'] = {}) => {
      const { handle, setting } = await dataOf(
        api.POST('/_sim/v1/tenants/{tenantId}/states/{state}', {
          params: { path: { tenantId, state } },
          body,
        }),
      )
      const leave = async (): Promise<void> => {
        const path = { tenantId, state, handle }
        await api.DELETE('/_sim/v1/tenants/{tenantId}/states/{state}/{handle}', { params: { path } })
      }
      return { setting, leave }
    },
    /** Matched before the existing reply rules. */
    addReplyRules: async (replyRules: readonly ReplyRule[]): Promise<void> => {
      await api.PUT('/_sim/v1/tenants/{tenantId}/reply-rules', {
        params,
        body: immutableBody({ replyRules }),
      })
    },
    /** Puts the tenant into a situation, and returns what a client needs in it. */
    prepareSituation: async <N extends SituationName>(
      situation: N,
      body: SituationOptions = {},
    ): Promise<PreparedSituations[N]> =>
      (await dataOf(
        api.POST('/_sim/v1/tenants/{tenantId}/situations/{situation}', {
          params: { path: { tenantId, situation } },
          body,
        }),
      )) as unknown as PreparedSituations[N],
    addNetworkFaults: async (networkFaults: readonly NetworkFault[]): Promise<void> => {
      await api.POST('/_sim/v1/tenants/{tenantId}/network-faults', {
        params,
        body: immutableBody({ networkFaults }),
      })
    },
    clearNetworkFaults: async (): Promise<void> => {
      await api.DELETE('/_sim/v1/tenants/{tenantId}/network-faults', { params })
    },
    /** The next requests meet a server error. */
    fail: async (failure: Schemas['FailureRequest']): Promise<void> => {
      await api.POST('/_sim/v1/tenants/{tenantId}/failures', { params, body: failure })
    },
    clearFailures: async (): Promise<void> => {
      await api.DELETE('/_sim/v1/tenants/{tenantId}/failures', { params })
    },
  }
}

function webhooksOf(api: ControlApi, tenantId: string) {
  const path = { tenantId }
  return {
    /** Emits a webhook event; returns the ids of its deliveries. `agent`: id or role. */
    emit: async (event: WebhookEvent, { agent, payload }: { agent?: string; payload?: JsonObject } = {}) => {
      const body = {
        event,
        ...(agent === undefined ? {} : { agentId: agent }),
        ...(payload === undefined ? {} : { payload }),
      }
      return (await dataOf(api.POST('/_sim/v1/tenants/{tenantId}/events', { params: { path }, body })))
        .deliveries
    },
    deliveries: async (webhookId?: string) => {
      const query = webhookId === undefined ? {} : { webhookId }
      return (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/deliveries', { params: { path, query } })))
        .deliveries
    },
    /** What each attempt sent, as far as it is remembered: of every delivery with this id, the oldest first. */
    sentAttempts: async (deliveryId: string) =>
      (
        await dataOf(
          api.GET('/_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/attempts', {
            params: { path: { tenantId, deliveryId } },
          }),
        )
      ).attempts,
    /** Delivers an event again; returns the id of the delivery. */
    again: async (deliveryId: string, { sameId = false }: { sameId?: boolean } = {}) =>
      (
        await dataOf(
          api.POST('/_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/again', {
            params: { path: { tenantId, deliveryId } },
            body: { sameId },
          }),
        )
      ).delivery,
  }
}

/** Decisions of the owner of the account. */
function ownerOf(api: ControlApi, tenantId: string) {
  const params = { path: { tenantId } }
  return {
    approvals: async () =>
      (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/approvals', { params }))).approvals,
    decide: (approvalId: string, decision: ApprovalDecision) =>
      dataOf(
        api.POST('/_sim/v1/tenants/{tenantId}/approvals/{approvalId}', {
          params: { path: { tenantId, approvalId } },
          body: { decision },
        }),
      ),
    /** The upload that was prepared with this idempotency key has expired from now on. */
    lapseUpload: async (upload: Schemas['LapseRequest']): Promise<void> => {
      await api.POST('/_sim/v1/tenants/{tenantId}/uploads/lapse', { params, body: upload })
    },
    tasks: async () => (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/tasks', { params }))).tasks,
    stepTask: (taskId: string, step: TaskStep) =>
      dataOf(
        api.POST('/_sim/v1/tenants/{tenantId}/tasks/{taskId}', {
          params: { path: { tenantId, taskId } },
          body: { step },
        }),
      ),
  }
}

/** Snapshots of a tenant in another process. */
export type SnapshotDocument = components['schemas']['Snapshot']

function snapshotsOf(api: ControlApi, tenantId: string) {
  const path = { tenantId }
  const named = (name: string) => ({ params: { path: { tenantId, name } } })
  return {
    /** The state of the tenant; given a name, the snapshot that is saved under it. */
    download: (name?: string): Promise<SnapshotDocument> =>
      name === undefined
        ? dataOf(api.GET('/_sim/v1/tenants/{tenantId}/snapshot', { params: { path } }))
        : dataOf(api.GET('/_sim/v1/tenants/{tenantId}/snapshots/{name}', named(name))),
    list: async () =>
      (await dataOf(api.GET('/_sim/v1/tenants/{tenantId}/snapshots', { params: { path } }))).snapshots,
    /** In the memory of the simulator; replaces a snapshot of the same name. */
    save: (name: string) => dataOf(api.PUT('/_sim/v1/tenants/{tenantId}/snapshots/{name}', named(name))),
    /** The tenant returns to the state of a saved snapshot, or of a document of its own. */
    restore: async (snapshot: string | SnapshotDocument): Promise<void> => {
      if (typeof snapshot === 'string')
        await api.POST('/_sim/v1/tenants/{tenantId}/snapshots/{name}/restore', named(snapshot))
      else await api.PUT('/_sim/v1/tenants/{tenantId}/snapshot', { params: { path }, body: snapshot })
    },
    delete: async (name: string): Promise<void> => {
      await api.DELETE('/_sim/v1/tenants/{tenantId}/snapshots/{name}', named(name))
    },
  }
}
