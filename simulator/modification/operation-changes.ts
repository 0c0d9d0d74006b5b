/** The small changes to operations that modifications are made of. */
import type { Call, ReplyInfo, JsonReply, Reply } from '../edge/reply.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Operation } from '../tenant/operations/operation.ts'
import { refuseOperation } from '../edge/operation-refusal.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { Rules, TenantState } from '../rules/tenant-state.ts'
import type { RuleChange, TenantHooks } from './modification.ts'

/** Answers of the routes of operations that a modification concerns. */
type When = (about: ReplyInfo, reply: JsonReply, call: Call) => boolean

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

export const hasFailed = ({ operation, receipt }: ReplyInfo): boolean =>
  operation === 'execute' && receipt === 'failed'

export function onReceiptError(when: When, change: (error: JsonObject) => Json): TenantHooks {
  return onOperationBody(when, ({ error = {}, ...body }) => ({
    ...body,
    error: isObject(error) ? change(error) : error,
  }))
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

/** One condition less, where this says so. */
export const permitting =
  (isOpen: (apiKey: ApiKey, operation: Operation) => boolean, name = 'scope') =>
  ({ operationPermissions }: Pick<Rules, 'operationPermissions'>): Pick<Rules, 'operationPermissions'> => ({
    operationPermissions: operationPermissions.map((rule) =>
      rule.name === name
        ? {
            name,
            objects: (apiKey, operation, ...rest) =>
              isOpen(apiKey, operation) ? null : rule.objects(apiKey, operation, ...rest),
          }
        : rule,
    ),
  })

/** One condition more: whom it concerns is refused in these words. */
export const forbidding =
  (words: string, concerns: (apiKey: ApiKey, operation: Operation) => boolean) =>
  ({ operationPermissions }: Pick<Rules, 'operationPermissions'>): Pick<Rules, 'operationPermissions'> => ({
    operationPermissions: [
      ...operationPermissions,
      {
        name: 'forbidden-besides',
        objects: (apiKey, operation) =>
          concerns(apiKey, operation) ? refuseOperation('FORBIDDEN', words) : null,
      },
    ],
  })

/** One condition less for some operations; what a key is shown stays as it was. */
export function unguarded(name: string, concerns: (operation: Operation) => boolean): RuleChange {
  return (was: Rules) => {
    const strict = was.operationPermissions
    return {
      ...permitting((_apiKey, operation) => concerns(operation), name)(was),
      isListed: (operation, apiKey, state) =>
        was.isListed(operation, apiKey, state) &&
        strict.every((permission) => permission.objects(apiKey, operation, null, state) === null),
    }
  }
}
