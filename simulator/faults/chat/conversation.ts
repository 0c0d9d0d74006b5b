/** Conversations that are joined, or lost on the way. */
import { keyId } from '../../chat/claim.ts'
import {
  sentBody,
  turnOfCall,
  isChatReply,
  onEvents,
  onJson,
  onRefusal,
  renamer,
  memberText,
} from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import type { Call } from '../../edge/reply.ts'
import type { TenantState } from '../../rules/tenant-state.ts'

/** Adds a message to the conversation in which its key was completed. */
function say(call: Call, state: TenantState): void {
  const asked = turnOfCall(call, state)
  const record = asked && state.keys.find(keyId(state, asked))
  if (record?.state.is !== 'completed') return
  const { conversation: id } = record.state.reply
  const found = state.conversations.values().find((one) => one.id === id)
  if (found) found.said += ` ${asked?.request.message}`
}

export const conversationFaults = {
  'thread-without-memory': fault({
    title: 'A conversation goes on under its id, and nothing that was said in it is known any more.',
    breaks: ['CONV-AFTER-STREAM', 'CONV-CONTINUE-STREAM'],
    rules: () => ({ threadKeeps: () => false }),
  }),
  'replayed-messages-in-thread': fault({
    title: 'The message of a replay is added to its conversation once more.',
    breaks: ['IDEM-REPLAY-AGAIN'],
    reply: (reply, call, state) => {
      if (reply.about.replay) say(call, state)
      return reply
    },
  }),
  'conflicting-messages-in-thread': fault({
    title: 'A message that is refused as a conflict is added to the conversation of its key.',
    breaks: ['IDEM-CONFLICT-UNCHANGED'],
    ...onRefusal(['IDEMPOTENCY_CONFLICT'], (reply, call, state) => {
      say(call, state)
      return reply
    }),
  }),
  'one-conversation-for-all': fault({
    title: 'All JSON turns that name no conversation land in the same one.',
    breaks: ['CONV-NEW', 'FLOW-PRESS-STATUS', 'IDEM-REPLAY-CONVERSATION', 'IDEM-STREAM-REPLAY-CONVERSATION'],
    remember: () => {
      const first = new Map<string, string>()
      return {
        reply: (reply, call) => {
          if (!isChatReply(reply) || 'conversation_id' in sentBody(call)) return reply
          const place = reply.about.agentId ?? ''
          const id = first.get(place) ?? memberText(reply.body['conversation_id'])
          first.set(place, id)
          return { ...reply, body: { ...reply.body, conversation_id: id } }
        },
      }
    },
  }),
  'conversation-left-by-json': fault({
    title: 'A JSON turn that names a conversation is answered in a new one.',
    breaks: ['CONV-CONTINUE', 'CONV-AFTER-STREAM', 'FLOW-PRESS-CONVERSATION'],
    remember: (state) => {
      const other = renamer(state)
      return {
        reply: (reply, call) =>
          isChatReply(reply) && 'conversation_id' in sentBody(call)
            ? { ...reply, body: { ...reply.body, conversation_id: other(reply.about.key ?? '') } }
            : reply,
      }
    },
  }),
  'conversation-left-by-stream': fault({
    title: 'A streamed turn that names a conversation ends in a new one.',
    breaks: ['CONV-CONTINUE-STREAM', 'FLOW-PRESS-CONVERSATION'],
    remember: (state) => {
      const other = renamer(state)
      const leaving = new Set<string>()
      return {
        reply: (reply, call) => {
          if (reply.kind === 'stream' && 'conversation_id' in sentBody(call))
            leaving.add(reply.about.key ?? '')
          return reply
        },
        ...onEvents((event, { key = '' }) => [
          event.type === 'done' && leaving.has(key) ? { ...event, conversation_id: other(key) } : event,
        ]),
      }
    },
  }),
  'conversation-left-at-sixth': fault({
    title: 'The sixth turn of a conversation, and each later one, is answered in a new one.',
    breaks: ['CONV-CONTINUE'],
    remember: (state) => {
      const other = renamer(state)
      const turns = new Map<string, Set<string>>()
      return onJson((body, { key = '' }) => {
        const id = memberText(body['conversation_id'])
        const keys = turns.get(id) ?? new Set()
        turns.set(id, keys.add(key))
        return [...keys].indexOf(key) < 5 ? body : { ...body, conversation_id: other(key) }
      })
    },
  }),
} as const satisfies Record<string, Fault>
