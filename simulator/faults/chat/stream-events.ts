/** Events of a stream with a member missing, in another order, or too many of them. */
import type { StreamEvent } from '../../edge/reply.ts'
import {
  charge,
  collected,
  onEvent,
  onEvents,
  memberText,
  withoutMembers,
} from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

export const streamEventFaults = {
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
  'token-after-error': fault({
    title: 'A stream that failed goes on with the tokens that were under way.',
    breaks: ['SSE-ERROR-ENDS', 'SSE-NOTHING-AFTER'],
    ...onEvents((event) => (event.type === 'error' ? [event, { type: 'token', token: ' And' }] : [event])),
  }),
} as const satisfies Record<string, Fault>
