/** Operations that are called at a route of their own, and answer with their data as it is. */
import { operationRefusalReply, fittingInput } from './execute.ts'
import { type Call, jsonReply, type ReplyInfo, type Reply } from '../../edge/reply.ts'
import type { ServiceRoute } from '../../route.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { enterOperations, type OperationVisit } from './enter.ts'
import {
  loadCompiler,
  isOperationRefusal,
  refuseOperation,
  type OperationRefusal,
  notServed,
} from '../../edge/operation-refusal.ts'
import type { Operation, OwnRoute } from '../../tenant/operations/operation.ts'
import { objection } from '../../rules/operations.ts'

/** The members of the query that the schema knows; a whole number is converted where the schema has one. */
function queryInput(call: Call, schema: JsonObject): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const query = new URL(call.path, 'http://localhost').searchParams
  const given = [...query].filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(given.map(([name, text]) => [name, valueOf(text, properties[name] ?? null)]))
}

function valueOf(text: string, schema: Json): Json {
  const wholeNumber = isObject(schema) && schema['type'] === 'integer'
  return wholeNumber && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

const about = ({ id }: Operation): ReplyInfo => ({ operation: 'own-route', operationId: id })

function dataOf(visit: OperationVisit, row: Operation): { data: Json } | OperationRefusal {
  const { state, call, apiKey } = visit
  // The row that counts is the one of the rules, which a modification may have changed.
  const operation = state.rules.catalogue.find(({ id }) => id === row.id) ?? row
  const refusal = objection(state, apiKey, operation, null)
  if (refusal) return refusal
  const fits = fittingInput(visit, operation, queryInput(call, operation.input(state.rules)))
  if (isOperationRefusal(fits)) return fits
  const job = { apiKey, ...fits, data: state.operations.dataOf(apiKey.account) }
  const outcome = state.rules.performs(operation, job, state)
  return outcome.is === 'completed'
    ? { data: outcome.data }
    : refuseOperation('INVALID_INPUT', 'It cannot be read now.')
}

const handler =
  (operation: Operation, route: OwnRoute): ServiceRoute['handle'] =>
  async (state: TenantState, call: Call): Promise<Reply> => {
    if (!route.isServed(state.rules)) return operationRefusalReply(state, notServed(), about(operation))
    const visit = enterOperations(state, call, about(operation))
    if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, about(operation))
    await loadCompiler()
    const answer = dataOf(visit, operation)
    return isOperationRefusal(answer)
      ? operationRefusalReply(state, answer, visit.about)
      : jsonReply(200, answer.data, visit.about)
  }

/** Reads only: a write with a route of its own brings a handler of its own. */
export const ownRoutes: readonly ServiceRoute[] = catalogue.flatMap((operation) => {
  const { route, kind } = operation
  return route && kind === 'read'
    ? [{ method: route.method, path: route.path, handle: handler(operation, route) }]
    : []
})
