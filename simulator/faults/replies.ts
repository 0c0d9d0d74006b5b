/** Replies that lack something, say something else, or belong to another request. */
import { keyId } from '../chat/claim.ts'
import { type Call, jsonReply } from '../edge/reply.ts'
import { madeUp } from './turns.ts'
import type { Json } from '../json.ts'
import {
  asRefusal,
  charge,
  charging,
  isChatReply,
  memberText,
  onEvents,
  onJson,
  onRefusal,
  onReply,
  renamer,
  sentBody,
  turnOfCall,
  withoutMembers,
} from '../modification/changes.ts'
import { pauseHidesReplies } from '../modification/key-books.ts'
import { type Fault, fault } from '../modification/modification.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { toCredits } from '../tenant/conversations.ts'

/** Adds a message to the conversation in which its key was completed. */
function say(call: Call, state: TenantState): void {
  const asked = turnOfCall(call, state)
  const record = asked && state.keys.find(keyId(state, asked))
  if (record?.state.is !== 'completed') return
  const { conversation: id } = record.state.reply
  const found = state.conversations.values().find((one) => one.id === id)
  if (found) found.said += ` ${asked?.request.message}`
}

export const replyFaults = {
  'new-conversation-as-201': fault({
    title: 'A JSON turn that begins a conversation is answered 201.',
    breaks: ['REQ-ROUTE', 'REQ-CONVERSATION-OPTIONAL', 'PAUSE-STATUS', 'REQ-MESSAGE-MIN'],
    reply: (reply, call) =>
      isChatReply(reply) && !reply.about.replay && !('conversation_id' in sentBody(call))
        ? { ...reply, status: 201 }
        : reply,
  }),
  'response-in-parts': fault({
    title: 'The text of a JSON reply comes as a list of parts.',
    breaks: ['RES-RESPONSE-STRING', 'IDEM-REPLAY-RESPONSE', 'IDEM-STREAM-REPLAY-RESPONSE'],
    ...onJson((body, { paused }) =>
      paused ? body : { ...body, response: [{ type: 'text', text: body['response'] ?? '' }] },
    ),
  }),
  'response-only-streamed': fault({
    title: 'The text of a reply reaches only clients that stream; in JSON it is empty.',
    breaks: ['RES-RESPONSE-FILLED', 'IDEM-REPLAY-RESPONSE', 'IDEM-STREAM-REPLAY-RESPONSE'],
    ...onJson((body) => ({ ...body, response: '' })),
  }),
  'credits-as-text': fault({
    title: 'The credits of a JSON reply are decimal texts.',
    breaks: ['RES-CREDITS-USED', 'RES-CREDITS-REMAINING', 'RES-CREDITS-WITHOUT-BILLING', 'PAUSE-FIELDS'],
    ...onJson((body) => ({
      ...body,
      credits_used: memberText(body['credits_used']),
      credits_remaining: memberText(body['credits_remaining']),
    })),
  }),
  'plain-turn-with-presentation': fault({
    title: 'Every reply has a presentation, an empty one where there is nothing to present.',
    breaks: ['RES-NO-PRESENTATION', 'SSE-DONE-NO-EXTRAS'],
    ...onReply((fields) => ({ presentation: { version: 1, messages: [], buttons: [] }, ...fields })),
  }),
  'reply-marked-paused': fault({
    title: 'Every reply has a customer_message whose AI reply is marked as paused.',
    breaks: [
      'RES-NO-CUSTOMER-MESSAGE',
      'SSE-DONE-NO-EXTRAS',
      'PAUSE-RESUME',
      'IDEM-REPLAY-PAUSED',
      'PAUSE-RESPONSE-EMPTY',
      'PAUSE-STREAM-DONE',
      'PAUSE-STREAM-NO-TEXT',
    ],
    ...onReply((fields, _about, { rules, random }) => ({
      customer_message: rules.customerMessage(rules.pausedMark, random.uuid()),
      ...fields,
    })),
  }),
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
  'turn-refunded': fault({
    title: 'A turn gives credits instead of taking them.',
    breaks: ['CRED-NOT-NEGATIVE'],
    rules: () => ({ cost: () => -toCredits(1) }),
  }),
  'balance-rounded': fault({
    title: 'Turns cost fractions of a credit, and the balance is kept in whole ones.',
    breaks: ['CRED-BALANCE', 'CRED-BALANCE-STREAM', 'CRED-BALANCE-CONCURRENT', 'SSE-ERROR-ONE-CHARGE'],
    interpretations: { 'GAP-CREDIT-COST': 'fraction' },
    rules: () => ({ debit: (cost) => Math.ceil(cost / toCredits(1)) * toCredits(1) }),
  }),
  'lost-update': fault({
    title: 'Turns that run at once write back the balance that each of them read at its start.',
    breaks: ['CRED-BALANCE-CONCURRENT'],
    rules: () => ({ workMs: 20, balanceAfter: ({ atStart, debit }) => atStart - debit }),
  }),
  'invalid-body-charged': fault({
    title: 'A request with an invalid body is charged.',
    breaks: ['CRED-REFUSAL-FREE'],
    ...charging('INVALID_BODY'),
  }),
  'shortage-charged': fault({
    title: 'A turn refused with 402 still costs one credit.',
    breaks: ['CRED-REFUSAL-FREE'],
    ...charging('INSUFFICIENT_CREDITS'),
  }),
  'shortage-in-words': fault({
    title: 'The amounts of a 402 are words.',
    breaks: ['CRED-EMPTY-AMOUNTS'],
    rules: () => ({ shortage: () => ({ credits_required: 'some', credits_remaining: 'none' }) }),
  }),
  'shortage-the-wrong-way': fault({
    title: 'A 402 swaps its two amounts.',
    breaks: ['CRED-EMPTY-SHORT'],
    rules: (rules) => ({ shortage: (required, remaining) => rules.shortage(remaining, required) }),
  }),
  'forbidden-charged': fault({
    title: 'A request that its key may not make is charged.',
    breaks: ['CRED-REFUSAL-FREE'],
    ...charging('AGENT_OUT_OF_SCOPE'),
  }),
  'continued-on-credit': fault({
    title: 'A conversation goes on where no credits are left.',
    breaks: ['CRED-EMPTY-STATUS'],
    ...onRefusal(['INSUFFICIENT_CREDITS'], (reply, call, state) =>
      sentBody(call)['conversation_id'] === undefined
        ? reply
        : { ...reply, status: 200, body: { ...madeUp(state), credits_remaining: 0 } },
    ),
  }),
  'shortage-stays': fault({
    title: 'An account that was out of credits once is refused from then on.',
    breaks: ['REQ-ROUTE'],
    remember: () => {
      const empty = new Set<string>()
      return {
        reply: (reply, _call, state) => {
          const { account = '', code, operation } = reply.about
          if (code === 'INSUFFICIENT_CREDITS') empty.add(account)
          return operation === 'chat' && empty.has(account)
            ? asRefusal('INSUFFICIENT_CREDITS', reply, state)
            : reply
        },
      }
    },
  }),
  'paused-as-202': fault({
    title: 'A message stored while paused is answered 202.',
    breaks: ['PAUSE-STATUS'],
    reply: (reply) =>
      reply.kind === 'json' && reply.about.paused && reply.status === 200 ? { ...reply, status: 202 } : reply,
  }),
  'paused-without-customer-message': fault({
    title: 'A message stored while paused is answered with an empty response and nothing else.',
    breaks: ['PAUSE-CUSTOMER-MESSAGE', 'PAUSE-STREAM-DONE'],
    ...onReply((fields) => withoutMembers(fields, 'customer_message')),
  }),
  'paused-without-mark': fault({
    title: 'The stored message does not say that the AI reply is paused.',
    breaks: ['PAUSE-AI-REPLY'],
    rules: (rules) => ({
      customerMessage: (mark, id) => withoutMembers(rules.customerMessage(mark, id), 'ai_reply'),
    }),
  }),
  'paused-without-credits': fault({
    title: 'A message stored while paused is answered without credits, as none are used.',
    breaks: ['PAUSE-FIELDS'],
    chance: ['RES-CREDITS-USED', 'RES-CREDITS-REMAINING'],
    ...onJson(
      (body) => withoutMembers(body, 'credits_used', 'credits_remaining'),
      ({ paused }) => paused === true,
    ),
  }),
  'paused-interaction-stored': fault({
    title: 'An interaction sent while paused is stored like a message.',
    breaks: ['PAUSE-INTERACTION-STATUS', 'PAUSE-INTERACTION-CODE', 'FLOW-PRESS-CONVERSATION'],
    ...onRefusal(['AI_REPLY_PAUSED'], (reply, _call, { random, rules }) =>
      jsonReply(
        200,
        {
          response: '',
          conversation_id: random.uuid(),
          credits_used: 0,
          credits_remaining: 0,
          customer_message: rules.customerMessage(rules.pausedMark, random.uuid()),
        },
        { ...reply.about, paused: true },
        reply.headers,
      ),
    ),
  }),
  'paused-interaction-charged': fault({
    title: 'An interaction sent while paused is refused and charged.',
    breaks: ['PAUSE-INTERACTION-FREE'],
    ...charging('AI_REPLY_PAUSED'),
  }),
  'paused-charged-unsaid': fault({
    title: 'A message stored while paused is charged more than it says.',
    breaks: ['CRED-BALANCE'],
    reply: (reply, _call, state) => {
      if (reply.about.paused && !reply.about.replay) charge(reply.about, state)
      return reply
    },
  }),
  'pause-outlasts-itself': fault({
    title: 'The first message after a pause is stored as well.',
    breaks: ['PAUSE-RESUME'],
    remember: () => {
      const paused = new Set<string>()
      const stored = new Map<string, Json>()
      return onJson((body, { agentId = '', key = '', ...about }, _call, { rules, random }) => {
        if (about.paused) paused.add(agentId)
        else if (!about.replay && !about.interaction && paused.delete(agentId))
          stored.set(key, rules.customerMessage(rules.pausedMark, random.uuid()))
        const message = stored.get(key)
        return message === undefined ? body : { ...body, response: '', customer_message: message }
      })
    },
  }),
  'pause-answers-anew': fault({
    title: 'While AI replies are paused, a request that was answered before is stored, and gets a new reply.',
    breaks: ['IDEM-REPLAY-AGAIN'],
    rules: pauseHidesReplies,
    remember: () => {
      const answered = new Set<string>()
      return onJson((body, { key = '', paused = false }) => {
        if (!paused) answered.add(key)
        return paused && answered.has(key) ? { ...body, response: 'Here I am again.' } : body
      })
    },
  }),
  'next-paused-without-mark': fault({
    title: 'The second message stored in a conversation, and each later one, does not say that it is paused.',
    breaks: ['PAUSE-AI-REPLY'],
    remember: () => {
      const stored = new Map<string, Set<string>>()
      return onJson(
        (body, { key = '' }) => {
          const id = memberText(body['conversation_id'])
          const keys = stored.get(id) ?? new Set()
          stored.set(id, keys.add(key))
          return [...keys][0] === key ? body : { ...body, customer_message: {} }
        },
        ({ paused }) => paused === true,
      )
    },
  }),
} as const satisfies Record<string, Fault>
