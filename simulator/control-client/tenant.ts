/** One tenant of a simulator in another process, in the words of a tenant in this one. */
import type { Decision } from '../operations/store.ts'
import type { StateId, WebhookEvent } from '../../spec/index.ts'
import type { components } from '../../spec/types/control.ts'
import type { ReplyRule } from '../chat/reply-rule.ts'
import type { NetworkFault } from '../network-faults/network-fault.ts'
import type { JsonObject } from '../json.ts'
import type { TaskPace } from '../operations/operation.ts'
import type { TaskStep } from '../operations/tasks.ts'
import type { SituationOptions, PreparedSituations, SituationName } from '../situations/prepared.ts'
import type { Modifications } from '../tenant.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import type { AccountRole, AgentRole, KeyRole, SessionRole } from '../tenant/fixtures.ts'
import { barriersOf, type ControlledBarriers } from './barriers.ts'
import { clockOf, type ControlledClock } from './clock.ts'
import { journalOf, type ControlledJournal } from './journal.ts'
import type { Body } from './operations.ts'
import type { Send } from './send.ts'

type Schemas = components['schemas']

/** A state that holds until it is left. */
export interface EnteredState {
  /** What to send to meet the state. */
  readonly setting: Schemas['StateSetting']
  leave(): Promise<void>
}

/** What can be done to a tenant, whoever made it. Everything rejects with a ControlError where it is refused. */
export interface TenantControl {
  readonly clock: ControlledClock
  readonly barriers: ControlledBarriers
  readonly journal: ControlledJournal
  read(): Promise<Schemas['TenantState']>
  /** Replaces faults, variants and readings; what is not given goes back to the default. */
  setModifications(modifications: Modifications): Promise<void>
  setTaskPace(pace: TaskPace): Promise<void>
  enterState(state: StateId, about?: Body<'enterState'>): Promise<EnteredState>
  /** AI replies of an agent (id) pause. */
  pause(agent: string): Promise<void>
  resume(agent: string): Promise<void>
  /** Whether the plan allows an agent (id). */
  setAllowed(agent: string, allowed: boolean): Promise<void>
  /** `account` is an id; `amount` in credits. */
  setCredits(account: string, amount: number): Promise<void>
  setPlan(account: string, plan: string): Promise<void>
  /** Matched before the reply rules that are there. */
  addReplyRules(replyRules: readonly ReplyRule[]): Promise<void>
  /** Puts the tenant into a situation, and returns what a client needs in it. */
  prepareSituation<N extends SituationName>(
    name: N,
    options?: SituationOptions,
  ): Promise<PreparedSituations[N]>
  addNetworkFaults(networkFaults: readonly NetworkFault[]): Promise<void>
  clearNetworkFaults(): Promise<void>
  /** Makes a webhook event happen; gives the ids of the deliveries it makes. `agent`: id or role. */
  emit(event: WebhookEvent, about?: { agent?: string; payload?: JsonObject }): Promise<readonly string[]>
  deliveries(webhookId?: string): Promise<readonly Schemas['SentDelivery'][]>
  /** Delivers an event once more; gives the id of the delivery. */
  again(deliveryId: string, how?: { sameId?: boolean }): Promise<string>
  approvals(): Promise<readonly Schemas['ApprovalState'][]>
  decide(approvalId: string, decision: Decision): Promise<Schemas['ApprovalState']>
  tasks(): Promise<readonly Schemas['OwnedTask'][]>
  stepTask(taskId: string, step: TaskStep): Promise<Schemas['OwnedTask']>
  /** Back to the fixtures and to no modifications; ids and keys stay. */
  reset(): Promise<void>
  /** Its keys are unknown from now on. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A tenant that was made here: everything needed to use it stands with it. */
export interface ControlledTenant extends TenantControl {
  readonly id: string
  readonly seed: string
  /** What the service writes where the contract has `service`. */
  readonly vendor: string
  readonly identifiers: Identifiers
  /** Base address of the service, without a trailing slash. */
  readonly url: string
  /** Address of the tenant in the control plane. */
  readonly control: string
  /** API keys by role. */
  readonly keys: Readonly<Record<KeyRole, string>>
  /** Agent ids by role. */
  readonly agents: Readonly<Record<AgentRole, string>>
  /** Account ids by role. */
  readonly accounts: Readonly<Record<AccountRole, string>>
  /** Tokens of signed-in users by role. */
  readonly sessions: Readonly<Record<SessionRole, string>>
}

export function tenantControl(send: Send): TenantControl {
  const close = (): Promise<void> => send('deleteTenant', {})
  return {
    clock: clockOf(send),
    barriers: barriersOf(send),
    journal: journalOf(send),
    read: () => send('readTenant', {}),
    reset: () => send('resetTenant', {}),
    close,
    [Symbol.asyncDispose]: close,
    ...settings(send),
    ...happenings(send),
  }
}

type Settings = Pick<
  TenantControl,
  | 'setModifications'
  | 'setTaskPace'
  | 'enterState'
  | 'pause'
  | 'resume'
  | 'setAllowed'
  | 'setCredits'
  | 'setPlan'
  | 'addReplyRules'
  | 'prepareSituation'
  | 'addNetworkFaults'
  | 'clearNetworkFaults'
>

/** How the tenant is from now on. */
function settings(send: Send): Settings {
  const agent = async (agentId: string, body: Schemas['AgentUpdate']): Promise<void> => {
    await send('updateTenantAgent', { path: { agentId }, body })
  }
  const account = async (accountId: string, body: Schemas['AccountUpdate']): Promise<void> => {
    await send('updateTenantAccount', { path: { accountId }, body })
  }
  const update = async (body: Body<'updateTenant'>): Promise<void> => {
    await send('updateTenant', { body })
  }
  return {
    setModifications: ({ faults = [], variants = [], readings = {} }) =>
      update({ faults, variants, readings }),
    setTaskPace: (tasks) => update({ tasks }),
    enterState: async (state, about = {}) => {
      const { handle, setting } = await send('enterState', { path: { state }, body: about })
      return { setting, leave: () => send('leaveState', { path: { state, handle } }) }
    },
    pause: (id) => agent(id, { paused: true }),
    resume: (id) => agent(id, { paused: false }),
    setAllowed: (id, allowed) => agent(id, { allowed }),
    setCredits: (id, credits) => account(id, { credits }),
    setPlan: (id, plan) => account(id, { plan }),
    addReplyRules: (replyRules) => send('setReplyRules', { body: { replyRules } }),
    prepareSituation: async <N extends SituationName>(situation: N, options: SituationOptions = {}) =>
      (await send('prepareSituation', {
        path: { situation },
        body: options,
      })) as unknown as PreparedSituations[N],
    addNetworkFaults: (networkFaults) => send('addNetworkFaults', { body: { networkFaults } }),
    clearNetworkFaults: () => send('clearNetworkFaults', {}),
  }
}

type Happenings = Pick<
  TenantControl,
  'emit' | 'deliveries' | 'again' | 'approvals' | 'decide' | 'tasks' | 'stepTask'
>

/** What its owner does, and what comes of it. */
function happenings(send: Send): Happenings {
  return {
    emit: async (event, { agent, payload } = {}) => {
      const body = {
        event,
        ...(agent === undefined ? {} : { agentId: agent }),
        ...(payload === undefined ? {} : { payload }),
      }
      return (await send('emitEvent', { body })).deliveries
    },
    deliveries: async (webhookId) =>
      (await send('listDeliveries', webhookId === undefined ? {} : { query: { webhookId } })).deliveries,
    again: async (deliveryId, { sameId = false } = {}) =>
      (await send('sendAgain', { path: { deliveryId }, body: { sameId } })).delivery,
    approvals: async () => (await send('listApprovals', {})).approvals,
    decide: (approvalId, decision) => send('decideApproval', { path: { approvalId }, body: { decision } }),
    tasks: async () => (await send('listTasks', {})).tasks,
    stepTask: (taskId, step) => send('stepTask', { path: { taskId }, body: { step } }),
  }
}
