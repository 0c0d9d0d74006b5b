/** The body of an older message, by a table of the types of its members. */
import type { Call } from '../server/call.ts'
import { parseBody, tooLargeWords } from '../chat/body.ts'
import { isChatRefusal } from '../chat/refusal.ts'
import type { ChatBody } from '../chat/turn.ts'
import { limits } from '../../spec/index.ts'
import { isObject, type Json } from '../json.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { refuseOlder, type OlderRefusal } from './refusal.ts'
import type { MemberRule, OlderRules } from './rules.ts'

const optional =
  (fits: (value: Json) => boolean): MemberRule['fits'] =>
  (value) =>
    value === undefined || fits(value)

const { messageMaxCharacters } = limits
const conversationIdMaxCharacters = 100

/** The description gives no lengths: an empty message is one, too, and the most is that of the current route. */
export const olderMembers: OlderRules['olderMembers'] = {
  message: {
    words: `message must be a string of at most ${messageMaxCharacters} whole characters; send the text of the customer.`,
    fits: (value) =>
      typeof value === 'string' && value.length <= messageMaxCharacters && value.isWellFormed(),
  },
  conversation_id: {
    words: `conversation_id must be a string of at most ${conversationIdMaxCharacters} characters; omit it to start a conversation.`,
    fits: optional((value) => typeof value === 'string' && value.length <= conversationIdMaxCharacters),
  },
  metadata: { words: 'metadata must be an object.', fits: optional(isObject) },
  stream: {
    words: 'stream must be true or false.',
    fits: optional((value) => typeof value === 'boolean'),
  },
}

export function readOlderBody({ rules }: TenantState, call: Call): ChatBody | OlderRefusal {
  if (call.tooLarge) return refuseOlder('invalid_request', tooLargeWords(rules))
  const parsed = parseBody(call.body)
  if (isChatRefusal(parsed)) return refuseOlder('invalid_request', parsed.words)
  const { body, text } = parsed
  const wrong = Object.entries(rules.olderMembers).find(([name, { fits }]) => !fits(body[name]))
  if (wrong) return refuseOlder('invalid_request', wrong[1].words)
  const { message, conversation_id: conversation, stream } = body
  return {
    // A fault may let anything through: what is not a text is then none.
    message: typeof message === 'string' ? message : '',
    conversationId: typeof conversation === 'string' ? conversation : null,
    stream: stream === true,
    interaction: null,
    text,
  }
}
