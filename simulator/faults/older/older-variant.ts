/** Breaches of the older chat variant. Each of these serves it. */
import { isObject } from '../../json.ts'
import { onEvents, withoutMembers } from '../../modification/changes.ts'
import type { Fault } from '../../modification/modification.ts'
import { olderFault, onOlderBody, onMessages, onOlder } from '../../modification/older-changes.ts'
import { withLongerKeys } from '../../modification/rule-changes.ts'

const reply = {
  'older-message-created': olderFault({
    title: 'A message of the older variant is answered 201.',
    breaks: ['OLD-SEND'],
    ...onOlder('older-chat', (answer) => ({ ...answer, status: 201 })),
  }),
  'older-message-optional': olderFault({
    title: 'The older variant takes a body without a message.',
    breaks: ['OLD-MESSAGE-REQUIRED'],
    rules: ({ olderMembers }) => {
      const others = Object.entries(olderMembers).filter(([name]) => name !== 'message')
      return { olderMembers: Object.fromEntries(others) }
    },
  }),
  'older-reply-nameless': olderFault({
    title: 'A reply of the older variant has no message_id.',
    breaks: ['OLD-REPLY'],
    ...onOlderBody('older-chat', (body) => withoutMembers(body, 'message_id')),
  }),
  'older-confidence-word': olderFault({
    title: 'The confidence of a reply is a word.',
    breaks: ['OLD-CONFIDENCE'],
    ...onOlderBody('older-chat', (body) => ({ ...body, confidence: 'high' })),
  }),
  'older-sources-titles': olderFault({
    title: 'The sources of a reply are titles and not objects.',
    breaks: ['OLD-SOURCES'],
    ...onOlderBody('older-chat', (body) => ({ ...body, sources: ['Handbook'] })),
  }),
} as const satisfies Record<string, Fault>

const stream = {
  'older-stream-tokens': olderFault({
    title: 'A stream of the older variant sends tokens and no texts.',
    breaks: ['OLD-STREAM'],
    ...onEvents((event) => [event.type === 'text' ? { ...event, type: 'token' } : event]),
  }),
  'older-stream-endless': olderFault({
    title: 'A stream of the older variant ends without done.',
    breaks: ['OLD-STREAM'],
    ...onEvents((event, { operation }) =>
      operation === 'older-chat' && event.type === 'done' ? [] : [event],
    ),
  }),
} as const satisfies Record<string, Fault>

const conversation = {
  'older-conversation-agentless': olderFault({
    title: 'A conversation does not say whose it is.',
    breaks: ['OLD-CONVERSATION'],
    ...onOlderBody('older-conversation', (body) => withoutMembers(body, 'agent_id')),
  }),
  'older-conversation-timeless': olderFault({
    title: 'The messages of a conversation do not say when they were sent.',
    breaks: ['OLD-CONVERSATION-MESSAGES'],
    ...onMessages((said) => said.map((message) => withoutMembers(message, 'timestamp'))),
  }),
} as const satisfies Record<string, Fault>

const access = {
  'older-keys-of-another-prefix': olderFault({
    title: 'API keys of the older variant begin with live-ak_.',
    breaks: ['OLD-KEY'],
    rules: withLongerKeys('ak_'),
  }),
  'older-key-for-all': olderFault({
    title: 'A key of the older variant is good for every agent of its account.',
    breaks: ['OLD-KEY', 'OLD-REFUSALS'],
    rules: () => ({ olderKeyFits: () => true }),
  }),
  'older-unknown-key-forbidden': olderFault({
    title: 'A key of the older variant that nobody has meets a 403.',
    breaks: ['OLD-REFUSALS'],
    ...onOlder('refusals', (answer) => (answer.status === 401 ? { ...answer, status: 403 } : answer)),
  }),
  'older-error-flat': olderFault({
    title: 'An error of the older variant is flat.',
    breaks: ['OLD-ERROR'],
    ...onOlderBody('refusals', ({ error = null }) =>
      isObject(error) ? { ...error, error: error['code'] ?? '' } : {},
    ),
  }),
} as const satisfies Record<string, Fault>

const rate = {
  'older-rate-silent': olderFault({
    title: 'Answers of the older variant say nothing of its rate.',
    breaks: ['OLD-RATE-HEADERS'],
    rules: () => ({ olderRateHeaders: () => [] }),
  }),
  'older-reset-as-seconds-left': olderFault({
    title: 'X-RateLimit-Reset counts the seconds from now.',
    breaks: ['OLD-RATE-HEADERS'],
    rules: (rules) => ({
      olderRateHeaders: (state) => rules.olderRateHeaders({ ...state, resetAt: state.resetAt - state.now }),
    }),
  }),
  'older-rate-unlimited': olderFault({
    title: 'The older variant reports a limit and never enforces it.',
    breaks: ['OLD-RATE'],
    rules: () => ({ olderExceeded: () => false }),
  }),
} as const satisfies Record<string, Fault>

export const olderVariantFaults = { ...reply, ...stream, ...conversation, ...access, ...rate }
