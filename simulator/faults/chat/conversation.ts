/** Conversations that are joined, or lost on the way. */
import { keyId } from '../../chat/claim.ts'
import type { Json } from '../../json.ts'
import { sentBody, turnOfCall } from '../../modification/asked.ts'
import { isChatReply, onEvents, onJson, onRefusal, renamer, memberText } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import type { Call } from '../../server/call.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'

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
  'streamed-messages-not-in-thread': fault({
    title: 'What a customer says in a streamed turn is not known to later turns of the conversation.',
    breaks: ['CONV-AFTER-STREAM'],
    rules: () => ({ threadKeeps: ({ request }) => !request.stream }),
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
  'stream-joins-last-conversation': fault({
    title: 'A streamed turn that names no conversation goes on with the one that its agent answered in last.',
    breaks: ['CONV-NEW', 'FLOW-PRESS-STREAM', 'IDEM-STREAM-REPLAY-CONVERSATION'],
    remember: () => {
      const last = new Map<string, Json>()
      const joined = new Map<string, Json>()
      return {
        reply: (reply, call) => {
          const { agentId = '', key = '' } = reply.about
          if (isChatReply(reply)) last.set(agentId, reply.body['conversation_id'] ?? null)
          else if (reply.kind === 'stream' && !('conversation_id' in sentBody(call)))
            joined.set(key, joined.get(key) ?? last.get(agentId) ?? null)
          return reply
        },
        ...onEvents((event, { agentId = '', key = '' }) => {
          if (event.type !== 'done') return [event]
          const id = joined.get(key) ?? event['conversation_id'] ?? null
          last.set(agentId, id)
          return [{ ...event, conversation_id: id }]
        }),
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
  'streamed-conversation-lost': fault({
    title: 'A conversation that a stream began is not kept: the next turn begins another.',
    breaks: ['CONV-AFTER-STREAM'],
    remember: (state) => {
      const other = renamer(state)
      const lost = new Set<unknown>()
      const begins = new Set<string>()
      return {
        reply: (reply, call) => {
          const id = sentBody(call)['conversation_id']
          if (reply.kind === 'stream' && id === undefined) begins.add(reply.about.key ?? '')
          return isChatReply(reply) && lost.has(id)
            ? { ...reply, body: { ...reply.body, conversation_id: other(reply.about.key ?? '') } }
            : reply
        },
        ...onEvents((event, { key = '' }) => {
          if (event.type === 'done' && begins.has(key)) lost.add(event['conversation_id'])
          return [event]
        }),
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
