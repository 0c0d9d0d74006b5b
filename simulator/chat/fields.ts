/** The final fields of a reply, the same in a body and in `done`. */
import type { CreditRules } from '../rules/chat.ts'
import type { ChatReply as ChatReplyBody } from '../../spec/types/openapi.ts'
import type { StreamEvent } from '../edge/reply.ts'
import type { JsonObject } from '../json.ts'
import type { TurnReply } from '../tenant/turn.ts'

export function finalFields(reply: TurnReply, rules: CreditRules): JsonObject {
  return {
    response: reply.response,
    conversation_id: reply.conversation,
    credits_used: rules.showCredits(reply.used),
    credits_remaining: rules.showCredits(reply.remaining),
    ...(reply.presentation && { presentation: reply.presentation }),
    ...(reply.customerMessage && { customer_message: reply.customerMessage }),
  } satisfies Omit<ChatReplyBody, 'presentation' | 'customer_message'>
}

export function doneEvent(reply: TurnReply, rules: CreditRules): StreamEvent {
  return { type: 'done', ...finalFields(reply, rules) }
}
