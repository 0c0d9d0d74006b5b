/** Executing an operation: the order in which everything about a request is decided. */
import {
  type Call,
  headerValues,
  type ReplyInfo,
  type Reply,
  jsonReply,
  type JsonReply,
} from '../../edge/reply.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { hold, resume } from '../approvals.ts'
import { enterOperations, type OperationVisit } from './enter.ts'
import {
  loadCompiler,
  isOperationRefusal,
  refuseOperation,
  notFoundRefusal,
  type OperationRefusal,
} from '../../edge/operation-refusal.ts'
import type { Operation, RunReceipt } from '../../tenant/operations/operation.ts'
import { objection, type OperationTenant } from '../../rules/operations.ts'
import { runOperation, noteRead } from '../tasks.ts'
import { canonicalJson, type JsonObject, isObject, type Json } from '../../json.ts'
import { brief } from '../../tenant/keys.ts'
import type { OperationRun } from '../../tenant/operations/store.ts'
import { parseBody, tooLargeWords, carriedKey } from '../../chat/body.ts'
import { isChatRefusal } from '../../edge/refusal.ts'
import type { Agent } from '../../tenant/principals.ts'

/** What is asked for, everything about it in order. */
interface Asked extends Fitting {
  readonly visit: OperationVisit
  readonly operation: Operation
  /** Null: nothing remembers it. */
  readonly key: string | null
}

export async function handleExecution(state: TenantState, call: Call): Promise<Reply> {
  const operationId = call.params['operationId'] ?? ''
  const named: ReplyInfo = { operation: 'execute', operationId }
  const visit = enterOperations(state, call, named)
  if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, named)
  await loadCompiler()
  const asked = ask(visit, operationId)
  if (isOperationRefusal(asked)) return operationRefusalReply(state, asked, visit.about)
  const { agent, key } = asked
  const at: ReplyInfo = {
    ...visit.about,
    ...(agent && { agent: agent.name, agentId: agent.id }),
    ...(key !== null && { key }),
  }
  return receiptReply(state, await answer(asked), at)
}

/** The operation of that id, if this API key may execute it. */
function permitted({ state, apiKey }: OperationVisit, id: string): Operation | OperationRefusal {
  const { rules } = state
  const operation = rules.catalogue.find((row) => row.id === id)
  if (!operation) return notFoundRefusal(state.rules, 'operation')
  const refusal = objection(state, apiKey, operation, null)
  if (refusal) return refusal
  const { route } = operation
  if (!route?.isServed(rules)) return operation
  return refuseOperation(
    'OWN_ROUTE',
    `${id} has a route of its own; call ${route.method} ${route.path} instead.`,
  )
}

function ask(visit: OperationVisit, id: string): Asked | OperationRefusal {
  const operation = permitted(visit, id)
  if (isOperationRefusal(operation)) return operation
  const body = jsonBodyOf(visit)
  if (isOperationRefusal(body)) return body
  const fits = fittingInput(visit, operation, inputOf(visit.state, body))
  if (isOperationRefusal(fits)) return fits
  const carried = operation.kind === 'read' ? { key: null } : operationKeyOf(visit, body)
  return isOperationRefusal(carried) ? carried : { visit, operation, ...fits, key: carried.key }
}

/** The receipt of this request, from its record where its key has one. */
function answer(asked: Asked): Promise<RunReceipt | OperationRefusal> {
  const { visit, operation, key, input } = asked
  const { state, apiKey } = visit
  const keyed = key === null ? null : keyedBy(state.rules.runId(apiKey, key), operation, input)
  return once(state, keyed, () => perform(asked))
}

function perform({ visit, operation, input, agent }: Asked): RunReceipt {
  const { state, apiKey, call } = visit
  const job = { apiKey, input, agent, data: state.operations.dataOf(apiKey.account) }
  if (!state.rules.isHeld(operation)) return runOperation(state, operation, job, call.connection)
  const { id } = hold(state, operation, job, call.connection)
  return { status: 'pending_approval', approvalId: id }
}

/** Reading the task or the approval that a receipt led to. */
export function taskReply(state: TenantState, call: Call): Reply {
  const id = call.params['taskId'] ?? ''
  const named: ReplyInfo = { operation: 'task', task: id }
  const visit = enterOperations(state, call, named)
  if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, named)
  const { about } = visit
  const task = state.rules.findTask(id, visit.apiKey, call, state)
  if (!task) return operationRefusalReply(state, notFoundRefusal(state.rules, 'task'), about)
  const body = state.rules.taskBody(task, state.rules)
  noteRead(state, task)
  return jsonReply(200, body, { ...about, operationId: task.operation })
}

export function approvalReply(state: TenantState, call: Call): Reply {
  const id = call.params['approvalId'] ?? ''
  const named: ReplyInfo = { operation: 'approval', approval: id }
  const visit = enterOperations(state, call, named)
  if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, named)
  const { about } = visit
  const approval = state.rules.findApproval(id, visit.apiKey, call, state)
  if (!approval) return operationRefusalReply(state, notFoundRefusal(state.rules, 'approval'), about)
  return jsonReply(200, state.rules.approvalBody(approval, state), {
    ...about,
    operationId: approval.operation.id,
  })
}

/**
 * An idempotency key of a write meets its record. What is known of the key decides: nothing runs the write,
 * anything else answers without it.
 */
export interface Keyed {
  readonly id: string
  /** Distinguishes inputs. */
  readonly fingerprint: string
}

/** `id`: what `rules.runId` makes of the key. */
export function keyedBy(id: string, operation: Operation, input: JsonObject): Keyed {
  return { id, fingerprint: brief(`${operation.id}\n${canonicalJson(input)}`) }
}

/** The receipt of the first request with this key, which alone performs. Null: nothing remembers it. */
export async function once(
  state: TenantState,
  keyed: Keyed | null,
  perform: () => RunReceipt,
): Promise<RunReceipt | OperationRefusal> {
  if (keyed === null) return perform()
  const { id, fingerprint } = keyed
  const { rules, operations, clock } = state
  const met = meet(state, operations.runs.get(id), fingerprint)
  if (met) return met
  if (rules.runGapMs > 0) await clock.sleep(rules.runGapMs, { label: 'claim gap' })
  // Without that gap no `await` stands between looking a key up and claiming it: nobody else can be first.
  const record: OperationRun = { fingerprint, receipt: null }
  operations.runs.set(id, record)
  try {
    if (rules.runMs > 0) await clock.sleep(rules.runMs, { label: 'operation' })
    const receipt = perform()
    record.receipt = receipt
    operations.runs.touch(id)
    return receipt
  } catch (defect) {
    operations.runs.delete(id)
    throw defect
  }
}

/** Null: the key is free, or runs once more. */
function meet(
  state: TenantState,
  record: OperationRun | undefined,
  fingerprint: string,
): RunReceipt | OperationRefusal | null {
  if (!record) return null
  const { rules, operations } = state
  const { receipt } = record
  if (record.fingerprint !== null && record.fingerprint !== fingerprint && rules.usedKey === 'refuse')
    return refuseOperation(
      'IDEMPOTENCY_CONFLICT',
      'The idempotency key was used for another input; take a new one.',
    )
  if (!receipt)
    return refuseOperation(
      'REQUEST_IN_PROGRESS',
      'The first request with this key still runs; wait and send it again.',
    )
  if (rules.runsAgain(receipt)) return null
  const approval =
    receipt.status === 'pending_approval' ? operations.approvals.get(receipt.approvalId) : undefined
  return approval ? resume(state, approval) : receipt
}

/** Replies of the routes of operations. */
export function receiptReply(
  state: OperationTenant,
  receipt: RunReceipt | OperationRefusal,
  about: ReplyInfo,
): JsonReply {
  if (isOperationRefusal(receipt)) return operationRefusalReply(state, receipt, about)
  const { rules } = state
  const { status } = receipt
  return jsonReply(rules.receiptStatus(receipt), rules.receiptBody(receipt), { ...about, receipt: status })
}

/** The code in `about` is marked, so that a modification of chat leaves it alone. */
export function operationRefusalReply(
  { rules }: OperationTenant,
  refusal: OperationRefusal,
  about: ReplyInfo,
): JsonReply {
  const { refused, status, words, members, headers } = refusal
  const body = { ...rules.refusalBody(refused, words, rules), ...members }
  return jsonReply(status, body, { ...about, code: `operations/${refused}` }, headers)
}

/** Reading what an execution carries: its input, its idempotency key, and the agent that the input names. */
export function jsonBodyOf({ state: { rules }, call }: OperationVisit): JsonObject | OperationRefusal {
  if (call.tooLarge) return refuseOperation('INVALID_INPUT', tooLargeWords(rules))
  const [contentType] = headerValues(call, 'content-type')
  if (!rules.acceptsContentType(contentType ?? null))
    return refuseOperation('INVALID_INPUT', 'Send the body as Content-Type: application/json.')
  const parsed = parseBody(call.body)
  return isChatRefusal(parsed) ? refuseOperation('INVALID_INPUT', parsed.words) : parsed.body
}

/** The input as the envelope has it; a key that is carried beside it is none of its members. */
function inputOf({ rules }: TenantState, body: JsonObject): Json | undefined {
  if (rules.keyPlace === 'header') return rules.executionInput(body)
  const { idempotency_key: _key, ...rest } = body
  return rules.executionInput(rest)
}

/** Null: it came without a key, and may. */
export function operationKeyOf(
  { state: { rules }, call }: OperationVisit,
  body: JsonObject,
): { key: string | null } | OperationRefusal {
  const inBody = rules.keyPlace === 'body'
  const carried = carriedKey(inBody ? { ...call, headers: [] } : call, inBody ? body : {}, rules)
  if (!isChatRefusal(carried)) return carried
  if (carried.refused !== 'IDEMPOTENCY_KEY_REQUIRED') return refuseOperation('INVALID_INPUT', carried.words)
  if (!rules.keyIsRequired) return { key: null }
  const place = inBody ? 'idempotency_key beside the input' : 'the header Idempotency-Key'
  return refuseOperation(
    'IDEMPOTENCY_KEY_REQUIRED',
    `A write needs an idempotency key; send one in ${place}.`,
  )
}

interface Fitting {
  readonly input: JsonObject
  readonly agent: Agent | null
}

/** An input that fits its schema and names an agent within reach, or what is wrong with it. */
export function fittingInput(
  { state, apiKey }: OperationVisit,
  operation: Operation,
  given: Json | undefined,
): Fitting | OperationRefusal {
  if (given === undefined)
    return refuseOperation(
      'INVALID_INPUT',
      'The body has no input; send {"input": {…}}, also where it is empty.',
    )
  const words = state.rules.inputProblem(operation, given, state.rules)
  if (words !== null) return refuseOperation('INVALID_INPUT', words)
  // A fault may let anything through: what is no object is then empty.
  const input = isObject(given) ? given : {}
  const { agentMember } = operation
  const named = agentMember === null ? undefined : input[agentMember]
  if (typeof named !== 'string') return { input, agent: null }
  const agent = state.agents.get(named)
  if (!agent) return notFoundRefusal(state.rules, 'agent')
  return objection(state, apiKey, operation, agent) ?? { input, agent }
}
