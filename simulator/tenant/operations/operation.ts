/** One row of the catalogue: what it takes, who may run it, and what comes of it. */
import type { Scope } from '../../../spec/index.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { TenantClock } from '../../clock/clock.ts'
import type { Account } from '../conversations.ts'
import type { Agent, ApiKey } from '../principals.ts'
import type { AccountData, Rows } from './account-data.ts'

/** How work goes on after its receipt, in a task. */
export interface LongWork {
  readonly ends: 'completed' | 'failed' | 'cancelled'
  /** It stops once on the way and goes on when the owner gave it what it asks for. */
  readonly asksOwner: boolean
}

/** What moves a task to its next state: nothing but its start, time in ms, being read so often, or the owner. */
export type TaskPace =
  | { readonly by: 'at-once' }
  | { readonly by: 'time'; readonly stepMs: number }
  | { readonly by: 'reads'; readonly reads: number }
  | { readonly by: 'hand' }

export interface Completed {
  readonly is: 'completed'
  readonly data: Json
}

export interface Failed {
  readonly is: 'failed'
  readonly code: string
  readonly resolution: string
}

/** What a run comes to. `uncertain`: it began, and nobody knows how it ended. */
export type OperationOutcome =
  | Completed
  | Failed
  | { readonly is: 'uncertain' }
  | { readonly is: 'long'; readonly work: LongWork }

/** One run of an operation. `input` fits its schema. */
export interface Job {
  readonly apiKey: ApiKey
  readonly input: JsonObject
  /** The agent that the input names; null where the operation takes none. */
  readonly agent: Agent | null
  /** Of the account of the API key. */
  readonly data: AccountData
}

export interface CatalogueRules {
  agentsAreRouted: boolean
  billingIsRouted: boolean
  reachableAgents(apiKey: ApiKey, context: OperationContext): readonly Agent[]
  /** What customers meet of an agent; a draft does not show in it. */
  liveDesign(agent: Agent, draft: JsonObject | null): JsonObject
  /** The credits of an account, as a number in a body. */
  creditsLeft(account: Account): number
  usage(account: Account, context: OperationContext): JsonObject
  subscription(account: Account, context: OperationContext): JsonObject
  plans: readonly JsonObject[]
  /** The schema of the input of the invoice list. */
  invoiceInput: JsonObject
  /** The newest first; `limit` of null gives all. */
  invoices(account: Account, limit: number | null, context: OperationContext): readonly JsonObject[]
}

/** What an operation may read of its tenant. */
export interface OperationContext {
  readonly accounts: ReadonlyMap<string, Account>
  readonly agents: ReadonlyMap<string, Agent>
  readonly clock: TenantClock
  readonly rules: CatalogueRules
}

export interface OwnRoute {
  readonly method: 'GET' | 'POST'
  /** With parameters as `:name`; the input comes in the query of a GET. */
  readonly path: string
  /** Whether the operation is called there under the rules; it is executed otherwise. */
  isServed(rules: CatalogueRules): boolean
}

export interface Operation {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Null: any valid API key may run it. */
  readonly scope: Scope | null
  readonly kind: 'read' | 'write'
  /** JSON Schema 2020-12 of an object; the same object every time, because its validator is kept by it. */
  input(rules: CatalogueRules): JsonObject
  readonly route: OwnRoute | null
  /** The member of the input that names an agent; such a key as is restricted to one agent may name only that. */
  readonly agentMember: string | null
  /** It takes something away that does not come back. */
  readonly destructive: boolean
  /** It waits for the owner before it runs. */
  readonly approval: boolean
  /** Its work needs what nothing keeps, such as bytes: once approved, it waits for the request to come again. */
  readonly resent: boolean
  /** It makes a lapsed upload as new, in place of the upload that has its id. */
  readonly renews: boolean
  /** Plans that have it; null: every plan. */
  readonly plans: readonly string[] | null
  perform(context: OperationContext, job: Job): OperationOutcome
  /** What its task does at its end; the effect is not there before. Null: what it performs. */
  readonly finish: ((context: OperationContext, job: Job) => Completed | Failed) | null
  /** What moves its tasks; null: what moves those of most. */
  readonly pace: TaskPace | null
}

type Row = Pick<Operation, 'id' | 'title' | 'description' | 'perform'> &
  Partial<Omit<Operation, 'input' | 'kind'>> & { readonly input?: JsonObject | Operation['input'] }

const takesNothing: JsonObject = { type: 'object', additionalProperties: false }

function operation(kind: Operation['kind'], row: Row): Operation {
  const { input = takesNothing } = row
  return {
    scope: null,
    route: null,
    agentMember: null,
    destructive: false,
    approval: false,
    resent: false,
    renews: false,
    plans: null,
    finish: null,
    pace: null,
    ...row,
    kind,
    input: typeof input === 'function' ? input : () => input,
  }
}

/** What changes nothing, and needs no idempotency key. */
export const readOperation = (row: Row): Operation => operation('read', row)
export const writeOperation = (row: Row): Operation => operation('write', row)

export const completedOutcome = (data: Json): Completed => ({ is: 'completed', data })
export const failedOutcome = (code: string, resolution: string): Failed => ({
  is: 'failed',
  code,
  resolution,
})

/** It goes on in a task, which completes and asks for nothing unless it is said. */
export function continuesAsTask(how: Partial<LongWork> = {}): OperationOutcome {
  return { is: 'long', work: { ends: 'completed', asksOwner: false, ...how } }
}

const shownMost = 100

/** As many of a list as a read shows at the most, the newest first. */
export function newest<T>(items: readonly T[], most: Json = shownMost): readonly T[] {
  return items.slice(-Math.min(typeof most === 'number' ? most : shownMost, shownMost)).toReversed()
}

/** The newest of a list under its name, and how many there are in all; of those alone that `keeps` picks. */
export function listed<T extends JsonObject>(
  name: string,
  rows: Pick<Rows<T>, 'values' | 'count'>,
  keeps: ((row: T) => boolean) | null,
  most?: Json,
): Completed {
  const found = keeps ? rows.values().filter(keeps) : rows.values()
  return completedOutcome({ [name]: newest(found, most), count: keeps ? found.length : rows.count() })
}

/** The most that RFC 5321 allows. */
export const emailSchema: JsonObject = { type: 'string', format: 'email', maxLength: 254 }

/** A schema of an object with these members; what is not among them is refused. */
export function members(
  properties: JsonObject,
  required: readonly string[] = Object.keys(properties),
): JsonObject {
  return { type: 'object', required, properties, additionalProperties: false }
}

/** What came of an execution, before an interpretation gives it its shape. */
export type RunReceipt =
  | { readonly status: 'completed'; readonly data: Json }
  | { readonly status: 'accepted'; readonly taskId: string }
  | { readonly status: 'pending_approval'; readonly approvalId: string }
  | FailedRunReceipt

export interface FailedRunReceipt {
  readonly status: 'failed'
  readonly code: string
  readonly resolution: string
  /** What the owner has to decide before it can succeed. */
  readonly approvalId?: string
}

export function failedReceipt(code: string, resolution: string): FailedRunReceipt {
  return { status: 'failed', code, resolution }
}

export function receiptOfOutcome(outcome: Completed | Failed): RunReceipt {
  return outcome.is === 'completed'
    ? { status: 'completed', data: outcome.data }
    : failedReceipt(outcome.code, outcome.resolution)
}
