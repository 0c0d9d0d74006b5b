/** Requests that are read too strictly or too loosely. */
import { limits } from '../../../spec/index.ts'
import {
  sentBody,
  asStream,
  isChatReply,
  onRefusal,
  memberText,
  withBodyRule,
  withoutBodyRule,
} from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

const { messageMaxCharacters } = limits

export const chatRequestFaults = {
  'message-optional': fault({
    title: 'A message that is missing is read as an empty one, and the turn runs.',
    breaks: ['REQ-MESSAGE-REQUIRED', 'REQ-MESSAGE-WITH-INTERACTION'],
    rules: withoutBodyRule('message-required'),
  }),
  'empty-message-accepted': fault({
    title: 'Only a missing message is refused, not an empty one.',
    breaks: ['REQ-MESSAGE-EMPTY'],
    rules: withoutBodyRule('message-min'),
  }),
  'longest-message-refused': fault({
    title: 'The longest message that is allowed is refused: the limit is compared with < for <=.',
    breaks: ['REQ-MESSAGE-MAX', 'REQ-ROUTE'],
    rules: withBodyRule('message-max', ({ message }, rules) =>
      rules.measure(memberText(message)) < messageMaxCharacters ? null : 'message is too long.',
    ),
  }),
  'message-one-too-long': fault({
    title: 'A message of one character more than the limit is accepted.',
    breaks: ['REQ-MESSAGE-OVER'],
    rules: withBodyRule('message-max', ({ message }, rules) =>
      rules.measure(memberText(message)) <= messageMaxCharacters + 1 ? null : 'message is too long.',
    ),
  }),
  'message-of-any-length': fault({
    title: 'The length of a message is not looked at.',
    breaks: ['REQ-MESSAGE-OVER'],
    rules: withoutBodyRule('message-max'),
  }),
  'message-of-any-type': fault({
    title: 'A message that is no text runs a turn all the same.',
    breaks: ['REQ-MESSAGE-STRING'],
    rules: withoutBodyRule('message-string'),
  }),
  'right-to-left-refused': fault({
    title: 'A message in a right-to-left script is refused.',
    breaks: ['REQ-MESSAGE-UNICODE'],
    rules: withBodyRule('message-text', ({ message }) =>
      typeof message === 'string' && /[\u0590-\u06ff]/.test(message) ? 'message cannot be read.' : null,
    ),
  }),
  'conversation-of-any-type': fault({
    title: 'A conversation_id that is no text is passed over.',
    breaks: ['REQ-CONVERSATION-STRING'],
    rules: withoutBodyRule('conversation-string'),
  }),
  'conversation-not-checked': fault({
    title: 'Any text does for a conversation_id, and begins a conversation of that name.',
    breaks: ['REQ-CONVERSATION-UUID', 'SSE-DONE-CONVERSATION', 'RES-CONVERSATION-UUID'],
    interpretations: { 'GAP-UNKNOWN-CONVERSATION': 'start' },
    rules: withoutBodyRule('conversation-uuid'),
  }),
  'stream-by-presence': fault({
    title: 'The mere presence of stream turns streaming on, whatever it says.',
    breaks: ['REQ-STREAM-FALSE'],
    rules: () => ({ streamFlag: () => true }),
  }),
  'stream-by-default': fault({
    title: 'A reply is streamed unless stream is false.',
    breaks: ['REQ-STREAM-DEFAULT'],
    reply: (reply, call) =>
      isChatReply(reply) && !('stream' in sentBody(call))
        ? asStream(reply, [{ ...reply.body, type: 'done' }])
        : reply,
  }),
  'interaction-of-any-type': fault({
    title: 'An interaction that is no object is passed over.',
    breaks: ['REQ-INTERACTION-OBJECT'],
    rules: withoutBodyRule('interaction-object'),
  }),
  'parse-error-escapes': fault({
    title: 'A body that cannot be parsed ends in a server error.',
    breaks: ['REQ-JSON-MALFORMED', 'REQ-BODY-EMPTY', 'SSE-REFUSAL-JSON'],
    ...onRefusal(['INVALID_BODY'], (reply, call) => (parses(call.body) ? reply : { ...reply, status: 500 })),
  }),
  'array-body-crashes': fault({
    title: 'A JSON body that is no object ends in a server error.',
    breaks: ['REQ-JSON-OBJECT', 'SSE-REFUSAL-JSON'],
    ...onRefusal(['INVALID_BODY'], (reply, call) =>
      parses(call.body) && !/^\s*\{/.test(Buffer.from(call.body).toString('utf8'))
        ? { ...reply, status: 500 }
        : reply,
    ),
  }),
} as const satisfies Record<string, Fault>

function parses(body: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString('utf8'))
    return true
  } catch {
    return false
  }
}
