/** Replies with a member missing, too much, or of another type. */
import { sentBody, isChatReply, onJson, onReply, memberText } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

export const chatResponseFaults = {
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
    breaks: ['RES-RESPONSE-STRING'],
    ...onJson((body, { paused }) =>
      paused ? body : { ...body, response: [{ type: 'text', text: body['response'] ?? '' }] },
    ),
  }),
  'response-only-streamed': fault({
    title: 'The text of a reply reaches only clients that stream; in JSON it is empty.',
    breaks: ['RES-RESPONSE-FILLED'],
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
} as const satisfies Record<string, Fault>
