/**
 * Every decision of operations that the contract leaves open or that a fault may get wrong, as part of the rules of
 * a tenant: see simulator/rules/tenant-state.ts.
 */
import type { operationsGaps } from '../../spec/gaps/operations.ts'
import type { Interpretations } from '../../spec/index.ts'
import type { Call } from '../edge/reply.ts'
import type { Json, JsonObject } from '../json.ts'
import type { ChatRules } from './chat.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { TenantData } from '../tenant/tenant-data.ts'
import type {
  CatalogueRules,
  Job,
  LongWork,
  Operation,
  OperationOutcome,
  TaskPace,
  RunReceipt,
} from '../tenant/operations/operation.ts'
import {
  type OperationRefusal,
  type OperationRefusalCode,
  refuseOperation,
  notFoundRefusal,
} from '../edge/operation-refusal.ts'
import type { Approval, ApprovalDecision, Task, TaskState } from '../tenant/operations/store.ts'
import type { FileFacts, KnowledgeKind } from '../tenant/operations/account-data.ts'

export interface OperationTenant extends TenantData {
  readonly rules: OperationRules & ChatRules
}

/** One condition. `agent`: null where no agent is named yet. Null: it has no objection. */
interface OperationPermission {
  readonly name: string
  objects(
    apiKey: ApiKey,
    operation: Operation,
    agent: Agent | null,
    state: OperationTenant,
  ): OperationRefusal | null
}

export interface DiscoveryRules {
  catalogue: readonly Operation[]
  isListed(operation: Operation, apiKey: ApiKey, state: OperationTenant): boolean
  /** The input schema as the list shows it to a key. */
  shownSchema(operation: Operation, apiKey: ApiKey, state: OperationTenant): JsonObject
  discovery(rows: readonly DiscoveryRow[]): Json
}

export interface DiscoveryRow {
  readonly operation: Operation
  readonly schema: JsonObject
  /** `GET /api/v1/…` where it is called at a route of its own; null: it is executed. */
  readonly route: string | null
}

export interface ExecutionRules {
  /** The API key that an operation is asked with; null where there is none that is valid. */
  callerOf(call: Call, state: OperationTenant): ApiKey | null
  /** Run in order; the first that objects wins. Take one out by its name to stop checking it. */
  operationPermissions: readonly OperationPermission[]
  otherRates: 'none' | 'same'
  refusalBody(code: OperationRefusalCode, words: string, rules: OperationRules & ChatRules): JsonObject
  unknownStatus: 403 | 404
  executionInput(body: JsonObject): Json | undefined
  keyPlace: 'header' | 'body'
  keyIsRequired: boolean
  /** What is wrong with an input, by its schema; null lets it pass. */
  inputProblem(operation: Operation, input: Json, rules: OperationRules & ChatRules): string | null
  /** Keys with the same result are one key. */
  runId(apiKey: ApiKey, key: string): string
  usedKey: 'refuse' | 'replay'
  /** Whether a key that came to this receipt runs once more when it comes again. */
  runsAgain(receipt: RunReceipt): boolean
  /** Time between looking a key up and claiming it. Anything but 0 is a race. */
  runGapMs: number
  /** A run takes so long before it does anything. */
  runMs: number
  performs(operation: Operation, job: Job, state: OperationTenant): OperationOutcome
}

export interface ReceiptRules {
  receiptStatus(receipt: RunReceipt): 200 | 202 | 422
  receiptBody(receipt: RunReceipt): JsonObject
}

export interface TaskRules {
  /** The first state of a task, and those to come. */
  taskPath(work: LongWork): readonly TaskState[]
  /** Of an operation that has no pace of its own. */
  taskPace: TaskPace
  paceOf(operation: Operation, rules: OperationRules & ChatRules): TaskPace
  /** The task that a caller may read under this id. */
  findTask(id: string, apiKey: ApiKey, call: Call, state: OperationTenant): Task | null
  taskBody(task: Task, rules: OperationRules & ChatRules): JsonObject
}

export interface ApprovalRules {
  /** Whether an operation waits for the owner. */
  isHeld(operation: Operation): boolean
  /** Whether the work of a held operation is done at this moment; `decided`: it was approved before. */
  worksOn(moment: 'held' | 'decided' | ApprovalDecision): boolean
  approvedRunsItself: boolean
  approvalLifeMs: number
  /** The approval that a caller may read under this id. */
  findApproval(id: string, apiKey: ApiKey, call: Call, state: OperationTenant): Approval | null
  approvalBody(approval: Approval, state: OperationTenant): JsonObject
}

export interface OperationRules
  extends
    DiscoveryRules,
    ExecutionRules,
    ReceiptRules,
    TaskRules,
    ApprovalRules,
    UploadRules,
    CatalogueRules {}

/** A row for each interpretation of each gap, what it changes in the rules. */
export type OperationInterpretations = {
  readonly [G in keyof typeof operationsGaps]: {
    readonly [R in Interpretations[G]]: Partial<OperationRules>
  }
}

/** Who may run which operation, and for which agent. */
export const operationPermissions = [
  {
    name: 'scope',
    objects: ({ scopes }, { id, scope }) =>
      scope === null || scopes.includes(scope)
        ? null
        : refuseOperation('FORBIDDEN', `The API key lacks the scope ${scope}, which ${id} needs.`),
  },
  {
    name: 'plan',
    objects: ({ account }, { id, plans }, _agent, { accounts }) => {
      const plan = accounts.get(account)?.plan ?? ''
      return plans === null || plans.includes(plan)
        ? null
        : refuseOperation(
            'PLAN_REQUIRED',
            `The plan ${plan} does not have ${id}; it needs ${plans.join(' or ')}.`,
          )
    },
  },
  {
    name: 'agent-of-account',
    objects: ({ account }, _operation, agent, state) =>
      agent === null || agent.accounts.includes(account) ? null : notFoundRefusal(state.rules, 'agent'),
  },
  {
    name: 'agent-scope',
    objects: (apiKey, _operation, agent) =>
      agent === null || apiKey.agent === null || apiKey.agent === agent.id
        ? null
        : refuseOperation('FORBIDDEN', 'The API key is restricted to another agent.'),
  },
  {
    name: 'agent-plan',
    objects: (_apiKey, _operation, agent) =>
      agent === null || agent.allowed
        ? null
        : refuseOperation('FORBIDDEN', 'The plan does not allow this agent.'),
  },
] as const satisfies readonly OperationPermission[]

/** The first objection, or null. */
export function objection(
  state: OperationTenant,
  apiKey: ApiKey,
  operation: Operation,
  agent: Agent | null,
): OperationRefusal | null {
  const { operationPermissions } = state.rules
  return (
    operationPermissions
      .values()
      .map((permission) => permission.objects(apiKey, operation, agent, state))
      .find((said) => said !== null) ?? null
  )
}

export type UploadPhase = 'prepare' | 'finalize'

export interface UploadRules {
  /** Largest file, in bytes; in base64 it has to fit into a body. */
  uploadLimitBytes: number
  /** What is wrong with a file as it is announced; null lets it pass. */
  fileProblem(kind: KnowledgeKind, file: FileFacts, limit: number): string | null
  /** What is wrong with the bytes of a file that was announced; null lets them pass. */
  bytesProblem(kind: KnowledgeKind, file: FileFacts, bytes: Uint8Array): string | null
  /** Keys with the same result are one key. `idOfKey` is what the other writes make of it. */
  uploadRunId(step: UploadPhase, idOfKey: string, call: Call): string
  /** One route takes the file with both keys. */
  uploadsAtOnce: boolean
  /** A prepared upload that is not finalized by then has lapsed, in ms. */
  preparedLifeMs: number
  /** Whether such an upload waits for the owner before it goes on. */
  renewalWaits(operation: Operation): boolean
  /** What it answers meanwhile. */
  renewalReceipt(approvalId: string): RunReceipt
}
