/** The idempotency key of a request: in the body, in either header, or in several of them. */
import { limits } from '../../spec/index.ts'
import type { ChosenKey, RequestRules } from './rules.ts'
import { headerValues, type Call } from '../server/call.ts'
import type { JsonObject } from '../json.ts'
import { refuseChat, type ChatRefusal } from './refusal.ts'

const { idempotencyKeyMinCharacters: min, idempotencyKeyMaxCharacters: max } = limits

const keyHeaders = ['idempotency-key', 'x-idempotency-key']

/** Header values come as one character per byte; clients that send more than ASCII send UTF-8. */
function headerText(value: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  return /^[\x00-\x7f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8')
}

/** The key that counts, or what is wrong with it. */
export function carriedKey(call: Call, body: JsonObject, rules: RequestRules): { key: string } | ChatRefusal {
  const member = body['idempotency_key']
  if (member !== undefined && typeof member !== 'string')
    return refuseChat('INVALID_BODY', 'idempotency_key must be a string.')
  const headers = keyHeaders.flatMap((name) => headerValues(call, name).map(headerText))
  const chosen = rules.chooseKey({ body: member ?? null, headers })
  if (chosen.is === 'missing') return refuseChat('IDEMPOTENCY_KEY_REQUIRED')
  if (chosen.is === 'disagree')
    return refuseChat('INVALID_BODY', 'Body and headers carry different idempotency keys; send one.')
  const length = rules.measure(chosen.key)
  if (length < min || length > max)
    return refuseChat('INVALID_BODY', `The idempotency key has ${length} characters; send ${min} to ${max}.`)
  if (!chosen.key.isWellFormed())
    return refuseChat('INVALID_BODY', 'The idempotency key has half a surrogate pair in it.')
  return { key: chosen.key }
}

/** How one key is chosen of several. */
export const choices = {
  refuse: ({ body, headers }) => {
    const key = body ?? headers[0]
    if (key === undefined) return { is: 'missing' }
    return headers.every((other) => other === key) ? { is: 'key', key } : { is: 'disagree' }
  },
  body: ({ body, headers }) => first(body, headers[0]),
  header: ({ body, headers }) => first(headers[0], body),
} as const satisfies Record<string, RequestRules['chooseKey']>

function first(...keys: (string | null | undefined)[]): ChosenKey {
  const key = keys.find((key) => typeof key === 'string')
  return key === undefined || key === null ? { is: 'missing' } : { is: 'key', key }
}
