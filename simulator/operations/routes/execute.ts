/** Executing an operation: the order in which everything about a request is decided. */
import { receiptReply, refusalReply } from './reply.ts'
import type { Call } from '../../server/call.ts'
import type { About, Reply } from '../../server/reply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { hold } from '../approvals.ts'
import { aboutVisit, enter, type Visit } from './enter.ts'
import { loadCompiler } from '../input-problem.ts'
import { keyedBy, once } from './keyed.ts'
import type { Operation } from '../operation.ts'
import { objection } from '../rules/permission.ts'
import { type Receipt } from '../receipt.ts'
import { isRefusal, refuse, unknown, type Refusal } from '../refusal.ts'
import { bodyOf, fitting, inputOf, keyOf, type Fitting } from './request.ts'
import { run } from '../run.ts'

/** What is asked for, everything about it in order. */
interface Asked extends Fitting {
  readonly visit: Visit
  readonly operation: Operation
  /** Null: nothing remembers it. */
  readonly key: string | null
}

export async function execute(state: TenantState, call: Call): Promise<Reply> {
  const operationId = call.params['operationId'] ?? ''
  const named: About = { operation: 'execute', operationId }
  const visit = enter(state, call)
  if (isRefusal(visit)) return refusalReply(state, visit, named)
  const about = aboutVisit(visit, named)
  await loadCompiler()
  const asked = ask(visit, operationId)
  if (isRefusal(asked)) return refusalReply(state, asked, about)
  const at: About = { ...about, ...aboutAsked(asked) }
  const receipt = await answer(asked)
  if (isRefusal(receipt)) return refusalReply(state, receipt, at)
  return receiptReply(state, receipt, at)
}

function aboutAsked({ agent, key }: Asked): Partial<About> {
  return {
    ...(agent && { agent: agent.name, agentId: agent.id }),
    ...(key !== null && { key }),
  }
}

/** The operation of that id, if this API key may execute it. */
function permitted({ state, apiKey }: Visit, id: string): Operation | Refusal {
  const { rules } = state
  const operation = rules.catalogue.find((row) => row.id === id)
  if (!operation) return unknown(state.rules, 'operation')
  const refusal = objection(state, apiKey, operation, null)
  if (refusal) return refusal
  const { route } = operation
  if (!route?.isServed(rules)) return operation
  return refuse('OWN_ROUTE', `${id} has a route of its own; call ${route.method} ${route.path} instead.`)
}

function ask(visit: Visit, id: string): Asked | Refusal {
  const operation = permitted(visit, id)
  if (isRefusal(operation)) return operation
  const body = bodyOf(visit)
  if (isRefusal(body)) return body
  const fits = fitting(visit, operation, inputOf(visit.state, body))
  if (isRefusal(fits)) return fits
  const carried = operation.kind === 'read' ? { key: null } : keyOf(visit, body)
  return isRefusal(carried) ? carried : { visit, operation, ...fits, key: carried.key }
}

/** The receipt of this request, from its record where its key has one. */
async function answer(asked: Asked): Promise<Receipt | Refusal> {
  const { visit, operation, key, input } = asked
  const { state, apiKey } = visit
  if (key === null) return perform(asked)
  const keyed = keyedBy(state, state.rules.runId(apiKey, key), operation, input)
  return once(state, keyed, () => perform(asked))
}

function perform({ visit, operation, input, agent }: Asked): Receipt {
  const { state, apiKey, call } = visit
  const job = { apiKey, input, agent, data: state.operations.dataOf(apiKey.account) }
  if (!state.rules.isHeld(operation)) return run(state, operation, job, call.connection)
  const { id } = hold(state, operation, job, call.connection)
  return { status: 'pending_approval', approvalId: id }
}
