/** What goes wrong while AI replies are paused. */
import { jsonReply } from '../../edge/reply.ts'
import type { Json } from '../../json.ts'
import {
  charge,
  charging,
  memberText,
  onJson,
  onRefusal,
  onReply,
  withoutMembers,
} from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { pauseHidesReplies } from '../../modification/key-books.ts'

export const pauseFaults = {
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
