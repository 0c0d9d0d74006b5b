/** The small changes to operations that modifications are made of. */
import type { OperationPermission } from '../operations/rules/rules.ts'
import type { Call } from '../server/call.ts'
import type { ReplyInfo, JsonReply, Reply } from '../server/reply.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Operation } from '../operations/operation.ts'
import type { Rules } from '../rules.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { Modification, TenantHooks } from './modification.ts'

type RuleChange = NonNullable<Modification['rules']>

/** Answers of the routes of operations that a modification concerns. */
type When = (about: ReplyInfo, reply: JsonReply, call: Call) => boolean

/** Changes the answers that are concerned. */
export function onAnswer(
  when: When,
  change: (reply: JsonReply, call: Call, state: TenantState) => Reply,
): TenantHooks {
  return {
    reply: (reply, call, state) =>
      reply.kind === 'json' && when(reply.about, reply, call) ? change(reply, call, state) : reply,
  }
}

export function onOperationBody(when: When, change: (body: JsonObject) => Json): TenantHooks {
  return onAnswer(when, (reply) => (isObject(reply.body) ? { ...reply, body: change(reply.body) } : reply))
}

/** The receipt of one operation, of this status where one is named. */
export const receiptBodyOf =
  (id: string, status?: string): When =>
  ({ operation, operationId, receipt }) =>
    operation === 'execute' &&
    operationId === id &&
    receipt !== undefined &&
    (status === undefined || receipt === status)

/** An answer of a billing read that is called at a route of its own. */
export const readOf =
  (id: string): When =>
  ({ operation, operationId }, { status }) =>
    operation === 'own-route' && operationId === id && status === 200

/** Changes every row of the list that a key is shown. */
export function onRows(change: (row: JsonObject) => JsonObject): TenantHooks {
  return onOperationBody(
    ({ operation }, { status }) => operation === 'discover' && status === 200,
    (body) => ({
      ...body,
      operations: Array.isArray(body['operations']) ? body['operations'].filter(isObject).map(change) : [],
    }),
  )
}

/** Lets inputs through whose problem, in words, is like this. */
export function forgiving(words: RegExp, ...ids: readonly string[]): RuleChange {
  return (was) => ({
    inputProblem(operation, input, rules) {
      const problem = was.inputProblem(operation, input, rules)
      const isForgiven =
        problem !== null && words.test(problem) && (ids.length === 0 || ids.includes(operation.id))
      return isForgiven ? null : problem
    },
  })
}

/** Refuses inputs of one operation that fit, where this finds something in them. */
export function fussy(id: string, objects: (input: JsonObject) => boolean): RuleChange {
  return (was) => ({
    inputProblem: (operation, input, rules) =>
      operation.id === id && isObject(input) && objects(input)
        ? 'The input does not fit its schema.'
        : was.inputProblem(operation, input, rules),
  })
}

/** One condition less for some operations; what a key is shown stays as it was. */
export function unguarded(name: string, concerns: (operation: Operation) => boolean): RuleChange {
  return (was: Rules) => {
    const strict = was.operationPermissions
    const relaxed = strict.map((permission): OperationPermission =>
      permission.name === name
        ? {
            name,
            objects: (apiKey, operation, agent, state) =>
              concerns(operation) ? null : permission.objects(apiKey, operation, agent, state),
          }
        : permission,
    )
    return {
      operationPermissions: relaxed,
      isListed: (operation, apiKey, state) =>
        was.isListed(operation, apiKey, state) &&
        strict.every((permission) => permission.objects(apiKey, operation, null, state) === null),
    }
  }
}
