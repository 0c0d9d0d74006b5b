/** What a chat turn is asked with, checked before anything is sent. */
import { limits } from '../../spec/limits.ts'
import { InvalidCall } from '../errors.ts'
import { isObject } from '../json.ts'
import { checkKey, segment } from '../http/named.ts'
import type { Resend } from '../http/resend.ts'
import type { ServiceRequest } from '../http/transport.ts'

export interface ChatTurn {
  readonly agentId: string
  /** 1 to 10,000 characters; needed with an interaction too. */
  readonly message: string
  /** 1 to 255 characters, one for each turn: keep it, and send the same again when in doubt. */
  readonly idempotencyKey: string
  /** Of an earlier reply. Absent: a new conversation begins. */
  readonly conversationId?: string | undefined
  /** The button that was chosen, as it was copied from the presentation of the latest turn. */
  readonly interaction?: object | undefined
  readonly signal?: AbortSignal | undefined
  /** Absent: a turn that is in progress is not sent again. */
  readonly resendInProgress?: Resend | undefined
}

/**
 * What counts as a character is the service's business. Here a message is too long only where it is by every count:
 * what a reader takes for a character is one code point at least, and that is one unit at least.
 */
function isTooLong(message: string): boolean {
  const most = limits.messageMaxCharacters
  if (message.length <= most) return false
  let seen = 0
  for (const _ of new Intl.Segmenter().segment(message)) if (++seen > most) return true
  return false
}

function checkMessage(message: unknown): void {
  if (typeof message !== 'string' || message === '')
    throw new InvalidCall(
      '`message` is empty or no text.',
      'Send 1 to 10,000 characters, with an interaction too.',
    )
  if (isTooLong(message))
    throw new InvalidCall(
      `\`message\` has ${message.length} characters, and 10,000 are allowed.`,
      'Shorten it, or send it in several turns.',
    )
}

/** The request of a turn. Throws `InvalidCall` for one that cannot be right. */
export function turnRequestOf(turn: ChatTurn, stream: boolean): ServiceRequest {
  const { agentId, message, idempotencyKey, conversationId, interaction, signal } = turn
  const path = `/api/v1/chat/${segment('agentId', agentId)}`
  checkKey('idempotencyKey', idempotencyKey)
  checkMessage(message)
  if (interaction !== undefined && !isObject(interaction))
    throw new InvalidCall(
      '`interaction` is no object.',
      'Copy the selection as the presentation of the latest turn has it.',
    )
  const body = { message, conversation_id: conversationId, interaction, ...(stream ? { stream } : {}) }
  return {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    idempotencyKey,
    accept: stream ? 'text/event-stream, application/json' : 'application/json',
    signal,
  }
}
