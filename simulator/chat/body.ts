/** The rules of the chat body, and reading a body that keeps them. */
import { isUtf8 } from 'node:buffer'
import { limits } from '../../spec/index.ts'
import { isObject, isShallow, type JsonObject } from '../json.ts'
import type { BodyRule, RequestRules, ChosenKey } from '../rules/chat.ts'
import { refuseChat, type ChatRefusal } from '../edge/refusal.ts'
import type { ChatBody } from '../tenant/keys.ts'
import { headerValues, type Call } from '../edge/reply.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const known = new Set(['message', 'conversation_id', 'stream', 'idempotency_key', 'interaction'])
const { messageMinCharacters, messageMaxCharacters } = limits

export const bodyRules = [
  {
    name: 'message-required',
    objects: ({ message }) =>
      message === undefined ? 'message is missing; send the text of the customer.' : null,
  },
  {
    name: 'message-string',
    objects: ({ message }) =>
      message === undefined || typeof message === 'string' ? null : 'message must be a string.',
  },
  {
    name: 'message-min',
    objects: ({ message }) =>
      message === '' ? `message is empty; send at least ${messageMinCharacters} character.` : null,
  },
  {
    name: 'message-max',
    objects: ({ message }, rules) => {
      // No text has more characters than UTF-16 units, so short ones need no counting, except in bytes.
      if (typeof message !== 'string' || message.length * 3 <= messageMaxCharacters) return null
      const length = rules.measure(message)
      return length > messageMaxCharacters
        ? `message has ${length} characters; send at most ${messageMaxCharacters}.`
        : null
    },
  },
  {
    name: 'message-text',
    objects: ({ message }) =>
      typeof message !== 'string' || message.isWellFormed()
        ? null
        : 'message has half a surrogate pair in it.',
  },
  {
    name: 'conversation-string',
    objects: ({ conversation_id: id }) =>
      id === undefined || typeof id === 'string' ? null : 'conversation_id must be a string.',
  },
  {
    name: 'conversation-uuid',
    objects: ({ conversation_id: id }) =>
      typeof id !== 'string' || uuid.test(id)
        ? null
        : 'conversation_id must be a uuid; omit it to start a conversation.',
  },
  {
    name: 'stream-flag',
    objects: ({ stream }, rules) =>
      stream === undefined || rules.streamFlag(stream) !== null ? null : 'stream must be true or false.',
  },
  {
    name: 'interaction-object',
    objects: ({ interaction }) =>
      interaction === undefined || isObject(interaction) ? null : 'interaction must be an object.',
  },
  {
    name: 'interaction-type',
    objects: ({ interaction }) =>
      !isObject(interaction) || interaction['type'] === 'workflow_button'
        ? null
        : 'interaction.type must be workflow_button.',
  },
  {
    name: 'unknown-members',
    objects: (body, rules) => {
      if (!rules.refusesUnknownMembers) return null
      const unknown = Object.keys(body).find((name) => !known.has(name))
      return unknown === undefined ? null : `${JSON.stringify(unknown)} is not a member of a chat request.`
    },
  },
] as const satisfies readonly BodyRule[]

interface Parsed {
  readonly body: JsonObject
  readonly text: string
}

export function tooLargeWords({ bodyLimitBytes }: RequestRules): string {
  return `The body is larger than ${bodyLimitBytes} bytes; send less.`
}

export function parseBody(bytes: Uint8Array): Parsed | ChatRefusal {
  if (bytes.length === 0) return refuseChat('INVALID_BODY', 'The body is empty; send a JSON object.')
  if (!isUtf8(bytes)) return refuseChat('INVALID_BODY', 'The body is not UTF-8.')
  if (!isShallow(bytes)) return refuseChat('INVALID_BODY', 'The body is nested too deep.')
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
    const body: unknown = JSON.parse(text)
    if (!isObject(body)) return refuseChat('INVALID_BODY', 'The body is JSON, but not an object.')
    return { body, text }
  } catch {
    return refuseChat('INVALID_BODY', 'The body is not JSON.')
  }
}

/** The rules in order, then the request they allow. */
export function readChatBody({ body, text }: Parsed, rules: RequestRules): ChatBody | ChatRefusal {
  const words = rules.bodyRules
    .values()
    .map((rule) => rule.objects(body, rules))
    .find((said) => said !== null)
  if (words !== undefined) return refuseChat('INVALID_BODY', words)
  const { message, conversation_id: conversation, stream, interaction } = body
  return {
    // A fault may let anything through: what is not a text is then none.
    message: typeof message === 'string' ? message : '',
    conversationId: typeof conversation === 'string' ? conversation.toLowerCase() : null,
    stream: stream !== undefined && rules.streamFlag(stream) === true,
    interaction: isObject(interaction) ? interaction : null,
    text,
  }
}

/** The idempotency key of a request: in the body, in either header, or in several of them. */
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
