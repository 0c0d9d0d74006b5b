/** Executing an operation: the order in which everything about a request is decided. */
import { receiptReply, operationRefusalReply } from './reply.ts'
import type { Call } from '../../server/call.ts'
import type { ReplyInfo, Reply } from '../../server/reply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { hold } from '../approvals.ts'
import { aboutVisit, enterOperations, type OperationVisit } from './enter.ts'
import { loadCompiler } from '../input-problem.ts'
import { keyedBy, once } from './keyed.ts'
import type { Operation } from '../operation.ts'
import { objection } from '../rules/permission.ts'
import type { RunReceipt } from '../receipt.ts'
import { isOperationRefusal, refuseOperation, notFoundRefusal, type OperationRefusal } from '../refusal.ts'
import { jsonBodyOf, fittingInput, inputOf, operationKeyOf, type Fitting } from './request.ts'
import { runOperation } from '../run.ts'

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
  const visit = enterOperations(state, call)
  if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, named)
  const about = aboutVisit(visit, named)
  await loadCompiler()
  const asked = ask(visit, operationId)
  if (isOperationRefusal(asked)) return operationRefusalReply(state, asked, about)
  const at: ReplyInfo = { ...about, ...aboutAsked(asked) }
  return receiptReply(state, await answer(asked), at)
}

function aboutAsked({ agent, key }: Asked): Partial<ReplyInfo> {
  return {
    ...(agent && { agent: agent.name, agentId: agent.id }),
    ...(key !== null && { key }),
  }
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
async function answer(asked: Asked): Promise<RunReceipt | OperationRefusal> {
  const { visit, operation, key, input } = asked
  const { state, apiKey } = visit
  if (key === null) return perform(asked)
  const keyed = keyedBy(state, state.rules.runId(apiKey, key), operation, input)
  return once(state, keyed, () => perform(asked))
}

function perform({ visit, operation, input, agent }: Asked): RunReceipt {
  const { state, apiKey, call } = visit
  const job = { apiKey, input, agent, data: state.operations.dataOf(apiKey.account) }
  if (!state.rules.isHeld(operation)) return runOperation(state, operation, job, call.connection)
  const { id } = hold(state, operation, job, call.connection)
  return { status: 'pending_approval', approvalId: id }
}
