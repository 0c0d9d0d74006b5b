/**
 * Every decision of operations that the contract leaves open or that a fault may get wrong, as part of the rules of
 * a tenant: see simulator/rules.ts.
 */
import type { Call } from '../server/call.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Rules } from '../rules.ts'
import type { Account } from '../tenant/credits.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { Approval, Decision } from './approvals.ts'
import type { Job, LongWork, Operation, Outcome, TaskPace } from './operation.ts'
import type { OperationPermission } from './permission.ts'
import type { Receipt } from './receipt.ts'
import type { RefusalCode } from './refusal.ts'
import type { UploadRules } from './upload-rules.ts'
import type { Task, TaskState } from './tasks.ts'

export interface DiscoveryRules {
  catalogue: readonly Operation[]
  /** Whether an operation stands in the list of a key. */
  isListed(operation: Operation, apiKey: ApiKey, state: TenantState): boolean
  /** The input schema as the list shows it to a key. */
  shownSchema(operation: Operation, apiKey: ApiKey, state: TenantState): JsonObject
  discovery(rows: readonly DiscoveryRow[]): Json
  agentsAreRouted: boolean
  billingIsRouted: boolean
}

export interface DiscoveryRow {
  readonly operation: Operation
  readonly schema: JsonObject
  /** `GET /api/v1/…` where it is called at a route of its own; null: it is executed. */
  readonly route: string | null
}

export interface ExecutionRules {
  /** The API key that an operation is asked with; null where there is none that is valid. */
  callerOf(call: Call, state: TenantState): ApiKey | null
  /** Plans that may use the HTTP API at all. */
  hasApiAccess(plan: string): boolean
  /** Run in order; the first that objects wins. Take one out by its name to stop checking it. */
  operationPermissions: readonly OperationPermission[]
  reachableAgents(apiKey: ApiKey, state: TenantState): readonly Agent[]
  otherRates: 'none' | 'same'
  refusalBody(code: RefusalCode, words: string, rules: Rules): JsonObject
  unknownStatus: 403 | 404
  executionInput(body: JsonObject): Json | undefined
  keyPlace: 'header' | 'body'
  keyIsRequired: boolean
  /** What is wrong with an input, by its schema; null lets it pass. */
  inputProblem(operation: Operation, input: Json, rules: Rules): string | null
  /** Keys with the same result are one key. */
  runId(apiKey: ApiKey, key: string): string
  /** Requests with one key and the same result are the same. */
  runFingerprint(operation: Operation, input: JsonObject): string
  usedKey: 'refuse' | 'replay'
  /** Whether a key that came to this receipt runs once more when it comes again. */
  runsAgain(receipt: Receipt): boolean
  /** Time between looking a key up and claiming it. Anything but 0 is a race. */
  runGapMs: number
  /** A run takes so long before it does anything. */
  runMs: number
  performs(operation: Operation, job: Job, state: TenantState): Outcome
  /** What customers meet of an agent; a draft does not show in it. */
  liveDesign(agent: Agent, draft: JsonObject | null): JsonObject
}

export interface ReceiptRules {
  receiptStatus(receipt: Receipt): 200 | 202 | 422
  receiptBody(receipt: Receipt): JsonObject
}

export interface TaskRules {
  /** The first state of a task, and those to come. */
  taskPath(work: LongWork): readonly TaskState[]
  /** Of an operation that has no pace of its own. */
  taskPace: TaskPace
  paceOf(operation: Operation, rules: Rules): TaskPace
  /** The task that a caller may read under this id. */
  findTask(id: string, apiKey: ApiKey, call: Call, state: TenantState): Task | null
  taskBody(task: Task, rules: Rules): JsonObject
}

export interface ApprovalRules {
  /** Whether an operation waits for the owner. */
  isHeld(operation: Operation): boolean
  /** Whether the work of a held operation is done at this moment; `decided`: it was approved before. */
  worksOn(moment: 'held' | 'decided' | Decision): boolean
  approvedRunsItself: boolean
  approvalLifeMs: number
  /** The approval that a caller may read under this id. */
  findApproval(id: string, apiKey: ApiKey, call: Call, state: TenantState): Approval | null
  approvalBody(approval: Approval, state: TenantState): JsonObject
}

export interface BillingRules {
  /** The credits of an account, as a number in a body. */
  creditsLeft(account: Account): number
  usage(account: Account, state: TenantState): JsonObject
  subscription(account: Account, state: TenantState): JsonObject
  plans: readonly JsonObject[]
  /** The schema of the input of the invoice list. */
  invoiceInput: JsonObject
  /** The newest first; `limit` of null gives all. */
  invoices(account: Account, limit: number | null, state: TenantState): readonly JsonObject[]
}

export interface OperationRules
  extends DiscoveryRules, ExecutionRules, ReceiptRules, TaskRules, ApprovalRules, UploadRules, BillingRules {}
