/** Events of a stream with a member missing, in another order, or too many of them. */
import type { StreamEvent } from '../../server/reply.ts'
import { sentBody } from '../../modification/asked.ts'
import {
  charge,
  collected,
  onEvent,
  onEvents,
  memberText,
  withoutMembers,
} from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

/** Other words than those of the reply, and no word of what replaced them. */
async function* ungated(events: AsyncIterable<StreamEvent>): AsyncIterable<StreamEvent> {
  yield { type: 'token', token: 'Well, between you and me' }
  for await (const event of events) if (event.type !== 'token' && event.type !== 'gate_triggered') yield event
}

export const streamEventFaults = {
  'token-as-text': fault({
    title: 'A token event carries its text as text, as in the older interface.',
    breaks: ['SSE-TOKEN'],
    ...onEvent('token', ({ token = '' }) => ({ text: token })),
  }),
  'token-of-digits-as-number': fault({
    title: 'A token of digits alone is a number.',
    breaks: ['SSE-TOKEN'],
    ...onEvent('token', ({ token = '' }) => ({ token: Number(token) || token })),
  }),
  'tokens-trimmed': fault({
    title: 'Tokens lose the blanks at their ends.',
    breaks: ['SSE-TOKENS-JOIN'],
    ...onEvent('token', ({ token }) => ({ token: memberText(token).trim() })),
  }),
  'actions-in-snake-case': fault({
    title: 'Tools are named in action_name.',
    breaks: ['SSE-ACTION-START', 'SSE-ACTION-COMPLETE'],
    ...onEvents((event) =>
      event.type.startsWith('action_')
        ? [
            {
              ...withoutMembers(event, 'actionName'),
              type: event.type,
              action_name: event['actionName'] ?? '',
            },
          ]
        : [event],
    ),
  }),
  'action-success-as-text': fault({
    title: 'Whether a tool succeeded is said in a text.',
    breaks: ['SSE-ACTION-SUCCESS'],
    ...onEvent('action_complete', (event) => ({ ...event, success: memberText(event['success']) })),
  }),
  'action-completes-renamed': fault({
    title: 'A tool is finished under another name than it was started.',
    breaks: ['SSE-ACTION-PAIRED'],
    ...onEvent('action_complete', (event) => ({
      ...event,
      actionName: `${memberText(event['actionName'])}_v2`,
    })),
  }),
  'action-never-completes': fault({
    title: 'A tool is started twice and finished once.',
    breaks: ['SSE-ACTION-PAIRED'],
    ...onEvents((event) => (event.type === 'action_start' ? [event, event] : [event])),
  }),
  'gate-without-reason': fault({
    title: 'A gate says what it decided and not why.',
    breaks: ['SSE-GATE'],
    ...onEvent('gate_triggered', (event) => withoutMembers(event, 'reason')),
  }),
  'later-gate-untold': fault({
    title: 'On later turns of a conversation a gate replaces what was streamed, and does not say so.',
    breaks: ['SSE-GATE', 'SSE-TOKENS-JOIN'],
    reply: (reply, call) =>
      reply.kind === 'stream' &&
      reply.about.agent === 'gate' &&
      sentBody(call)['conversation_id'] !== undefined
        ? { ...reply, events: ungated(reply.events) }
        : reply,
  }),
  'done-without-response': fault({
    title: 'done has no response, as the tokens had it all.',
    breaks: ['SSE-DONE-RESPONSE'],
    ...onEvent('done', (event, { paused }) => (paused ? event : withoutMembers(event, 'response'))),
  }),
  'done-response-empty': fault({
    title: 'done has an empty response, as the tokens had it all.',
    breaks: ['SSE-DONE-FILLED', 'SSE-TOKENS-JOIN'],
    ...onEvent('done', (event) => ({ ...event, response: '' })),
  }),
  'done-without-conversation': fault({
    title: 'done does not name the conversation.',
    breaks: ['SSE-DONE-CONVERSATION'],
    ...onEvent('done', (event) => withoutMembers(event, 'conversation_id')),
  }),
  'done-without-credits': fault({
    title: 'done has no credits.',
    breaks: ['SSE-DONE-CREDITS-USED', 'SSE-DONE-CREDITS-REMAINING'],
    ...onEvent('done', (event) => withoutMembers(event, 'credits_used', 'credits_remaining')),
  }),
  'done-twice': fault({
    title: 'A live stream sends done twice.',
    breaks: ['SSE-ONE-TERMINAL', 'SSE-NOTHING-AFTER'],
    ...onEvents((event, { replay }) => (event.type === 'done' && !replay ? [event, event] : [event])),
  }),
  'done-missing-after-tool': fault({
    title: 'A stream in which a tool ran ends without done.',
    breaks: ['SSE-ONE-TERMINAL'],
    async *events(events) {
      let tool = false
      for await (const event of events) {
        tool ||= event.type === 'action_start'
        if (event.type !== 'done' || !tool) yield event
      }
    },
  }),
  'token-after-done': fault({
    title: 'The last token comes after done.',
    breaks: ['SSE-NOTHING-AFTER', 'SSE-TOKENS-JOIN'],
    async *events(events) {
      const all = await collected(events)
      const [token, done] = all.slice(-2)
      const late = token?.type === 'token' && done?.type === 'done'
      const order: readonly StreamEvent[] = late ? [...all.slice(0, -2), done, token] : all
      yield* order
    },
  }),
  'error-as-message': fault({
    title: 'An error event carries its text as message.',
    breaks: ['SSE-ERROR'],
    ...onEvent('error', ({ error = '' }) => ({ message: error })),
  }),
  'failed-turn-charged': fault({
    title: 'A turn that failed while it was streamed is charged, and so is its retry.',
    breaks: ['SSE-ERROR-ONE-CHARGE'],
    ...onEvents((event, about, state) => {
      if (event.type === 'error') charge(about, state)
      return [event]
    }),
  }),
  'done-empty-after-error': fault({
    title: 'A stream that failed ends with a done that has an empty response and nothing else.',
    breaks: ['SSE-DONE-CONVERSATION', 'SSE-DONE-CREDITS-USED', 'SSE-DONE-CREDITS-REMAINING'],
    ...onEvents((event) => (event.type === 'error' ? [event, { type: 'done', response: '' }] : [event])),
  }),
  'token-after-error': fault({
    title: 'A stream that failed goes on with the tokens that were under way.',
    breaks: ['SSE-ERROR-ENDS', 'SSE-NOTHING-AFTER'],
    ...onEvents((event) => (event.type === 'error' ? [event, { type: 'token', token: ' And' }] : [event])),
  }),
} as const satisfies Record<string, Fault>
