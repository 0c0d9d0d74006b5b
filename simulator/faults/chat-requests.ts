/** Requests that are judged, or refused, in another way than the contract says. */
import { claimKey, keyId } from '../chat/claim.ts'
import { type Call, headerValues } from '../edge/reply.ts'
import {
  asRefusal,
  asStream,
  asText,
  isChatReply,
  memberText,
  onRefusal,
  refuseWhere,
  sentBody,
  turnOfCall,
  withBodyRule,
  withLongerKeys,
  withStatus,
  withoutBodyRule,
  withoutMembers,
  withoutPermission,
} from '../modification/changes.ts'
import { type Fault, fault } from '../modification/modification.ts'
import { chatErrors } from '../../spec/errors.ts'
import { limits } from '../../spec/index.ts'

const { messageMaxCharacters } = limits

function parses(body: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString('utf8'))
    return true
  } catch {
    return false
  }
}

const isBearer = (call: Call): boolean => /^Bearer \S/.test(headerValues(call, 'authorization')[0] ?? '')

/** The clauses that name a code, one for each row of the table. */
const codeClauses = Object.values(chatErrors).map(({ clause }) => clause)

const limit =
  (requests: number): NonNullable<Fault['rules']> =>
  (rules) => ({
    rate: { ...rules.rate, limit: requests },
    rateBody: (state) => ({ ...rules.rateBody(state), limit: 60 }),
  })

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
  'message-of-any-length': fault({
    title: 'The length of a message is not looked at.',
    breaks: ['REQ-MESSAGE-OVER'],
    rules: withoutBodyRule('message-max'),
  }),
  'message-of-any-type': fault({
    title: 'A message that is not a string is accepted.',
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
  'keys-of-another-prefix': fault({
    title: 'API keys begin with live-sk-.',
    breaks: ['AUTH-KEY-PREFIX'],
    rules: withLongerKeys('sk-'),
  }),
  'missing-key-as-400': fault({
    title: 'A request without an API key is answered 400.',
    breaks: ['AUTH-MISSING', 'AUTH-STREAM'],
    ...onRefusal(['INVALID_API_KEY'], (reply, call) =>
      headerValues(call, 'authorization').length === 0 ? { ...reply, status: 400 } : reply,
    ),
  }),
  'invalid-key-as-403': fault({
    title: 'A key that is not valid is answered 403.',
    breaks: ['AUTH-UNKNOWN'],
    ...onRefusal(['INVALID_API_KEY'], (reply, call) => (isBearer(call) ? { ...reply, status: 403 } : reply)),
  }),
  'any-scheme-accepted': fault({
    title: 'An API key counts with any scheme.',
    breaks: ['AUTH-SCHEME'],
    rules: () => ({ bearer: (authorization) => /^\S+ +(\S+) *$/.exec(authorization)?.[1] ?? null }),
  }),
  'empty-key-crashes': fault({
    title: 'A Bearer scheme without a key ends in a server error.',
    breaks: ['AUTH-EMPTY'],
    ...onRefusal(['INVALID_API_KEY'], (reply, call) =>
      /^bearer *$/i.test(headerValues(call, 'authorization')[0] ?? '') ? { ...reply, status: 500 } : reply,
    ),
  }),
  'chat-scope-ignored': fault({
    title: 'A key without chat sends messages.',
    breaks: ['AUTH-NO-CHAT'],
    rules: withoutPermission('chat-scope'),
  }),
  'agent-scope-ignored': fault({
    title: 'A key restricted to one agent reaches the others.',
    breaks: ['AUTH-AGENT-SCOPE'],
    rules: withoutPermission('agent-scope'),
  }),
  'restricted-key-refused': fault({
    title: 'A key restricted to one agent is refused everywhere.',
    breaks: ['AUTH-AGENT-OWN'],
    rules: (rules) => ({
      permissions: rules.permissions.map((rule) =>
        rule.name === 'agent-scope'
          ? { ...rule, objects: ({ agent }) => (agent === null ? null : 'AGENT_OUT_OF_SCOPE') }
          : rule,
      ),
    }),
  }),
  'plan-ignored': fault({
    title: 'An agent that the plan does not allow answers.',
    breaks: ['AUTH-PLAN'],
    rules: withoutPermission('plan'),
  }),
  'foreign-agent-reached': fault({
    title: 'The agent of another account answers.',
    breaks: ['AUTH-AGENT-FOREIGN'],
    rules: withoutPermission('agent-of-account'),
  }),
  'invalid-key-repeated': fault({
    title: 'The refusal of an API key repeats it.',
    breaks: ['AUTH-NO-ECHO'],
    ...onRefusal(['INVALID_API_KEY'], (reply, call, { rules }) => ({
      ...reply,
      body: rules.errorLayout(null, `There is no API key ${headerValues(call, 'authorization')[0] ?? ''}.`),
    })),
  }),
  'key-locked-after-refusals': fault({
    title: 'After every fifth key that is not valid, one request with a valid key is called invalid too.',
    breaks: ['REQ-ROUTE'],
    remember: () => {
      let refused = 0
      return {
        reply: (reply, call, state) => {
          if (reply.about.code === 'INVALID_API_KEY') refused += isBearer(call) ? 1 : 0
          else if (refused >= 5 && isChatReply(reply)) {
            refused = 0
            return asRefusal('INVALID_API_KEY', reply, state)
          }
          return reply
        },
      }
    },
  }),
  'codes-in-lower-case': fault({
    title: 'Error codes are in lower case.',
    breaks: [
      ...codeClauses,
      'IDEM-CONFLICT-LENGTH',
      'IDEM-CONFLICT-STREAM',
      'IDEM-IN-FLIGHT-OTHER',
      'IDEM-RACE-OTHERS',
      'IDEM-UNCERTAIN-STAYS',
    ],
    rules: (rules) => ({
      errorLayout: (code, words) => rules.errorLayout(code && code.toLowerCase(), words),
    }),
  }),
  'error-as-receipt': fault({
    title: 'An error looks like a receipt that failed.',
    breaks: ['ERR-NOT-RECEIPT', 'ERR-FLAT', 'ERR-500', 'ERR-503'],
    rules: () => ({
      errorLayout: (code, resolution) => ({ status: 'failed', error: { code, resolution } }),
    }),
  }),
  'error-as-problem': fault({
    title: 'An error is a problem with type, title and detail.',
    breaks: ['ERR-FLAT', 'ERR-500', 'ERR-503'],
    rules: () => ({
      errorLayout: (code, detail) => ({ type: 'about:blank', title: code ?? 'Error', detail }),
    }),
  }),
  'error-as-html': fault({
    title: 'An error says that it is HTML.',
    breaks: ['ERR-JSON'],
    ...onRefusal([], (reply) => asText(reply, 'text/html', JSON.stringify(reply.body))),
  }),
  'unknown-agent-as-410': fault({
    title: 'An agent that does not exist is answered 410.',
    breaks: ['ERR-KNOWN-STATUS', 'AUTH-AGENT-UNKNOWN'],
    ...withStatus(410, 'AGENT_NOT_FOUND'),
  }),
  'server-error-as-html': fault({
    title: 'A server error is a page of HTML.',
    breaks: ['ERR-500'],
    ...onRefusal(['SERVER_ERROR'], (reply) =>
      asText(reply, 'text/html', '<html><title>500 Internal Server Error</title></html>'),
    ),
  }),
  'two-defects-as-list': fault({
    title: 'With two defects in a body, error is a list.',
    breaks: ['ERR-FLAT'],
    ...onRefusal(['INVALID_BODY'], (reply, call) => {
      const { message, conversation_id: id = '' } = sentBody(call)
      const both = typeof message !== 'string' && typeof id !== 'string'
      return both ? { ...reply, body: { error: ['message', 'conversation_id'] } } : reply
    }),
  }),
  'failed-key-stuck': fault({
    title: 'The key of a request that failed with 500 or 503 is in progress for ever.',
    breaks: ['IDEM-IN-FLIGHT-OVERLAP'],
    remember: () => {
      const stuck = new Set<string>()
      return refuseWhere('REQUEST_IN_PROGRESS', ({ about }, call) => {
        const sent = call.body.toString()
        const hasFailed = about.code === 'UNAVAILABLE' || about.code === 'SERVER_ERROR'
        if (hasFailed) stuck.add(sent)
        return !hasFailed && stuck.has(sent)
      })
    },
  }),
  'limit-too-high': fault({
    title: 'Three hundred requests of a key within a minute are accepted.',
    breaks: ['RATE-UPPER'],
    rules: limit(300),
  }),
  'limit-too-low': fault({
    title: 'Thirty requests of a key within a minute meet the limit.',
    breaks: ['RATE-LOWER'],
    rules: limit(30),
  }),
  'limit-per-account': fault({
    title: 'All keys of an account share one limit.',
    breaks: ['RATE-PER-KEY'],
    rules: () => ({ rateSubject: ({ account }) => account }),
  }),
  'limit-without-retry': fault({
    title: 'A 429 does not say when to try again.',
    breaks: ['RATE-BODY-RETRY'],
    rules: (rules) => ({ rateBody: (state) => withoutMembers(rules.rateBody(state), 'retry_after_seconds') }),
  }),
  'retry-too-soon': fault({
    title: 'A 429 asks to try again after a second, whatever is left of the minute.',
    breaks: ['RATE-RECOVERS'],
    rules: (rules) => ({ rateBody: (state) => ({ ...rules.rateBody(state), retry_after_seconds: 1 }) }),
  }),
  'limited-request-keeps-key': fault({
    title: 'A request that met the limit uses its key up.',
    breaks: ['RATE-KEY-USABLE'],
    ...onRefusal(['RATE_LIMITED'], (reply, call, state) => {
      const asked = turnOfCall(call, state)
      if (asked && !state.keys.find(keyId(state, asked))) claimKey(state, state.keys, asked)
      return reply
    }),
  }),
  'rate-headers-missing': fault({
    title: 'Answers carry no rate-limit headers.',
    breaks: ['RATE-HEADERS'],
    rules: () => ({ rateHeaders: () => [] }),
  }),
  'limit-left-out': fault({
    title: 'A 429 does not say what the limit is.',
    breaks: ['RATE-BODY-LIMIT'],
    rules: (rules) => ({ rateBody: (state) => withoutMembers(rules.rateBody(state), 'limit') }),
  }),
  'remaining-in-full': fault({
    title: 'A 429 says that all of the limit remains, as it will in the next minute.',
    breaks: ['RATE-BODY-REMAINING'],
    rules: (rules) => ({ rateBody: (state) => ({ ...rules.rateBody(state), remaining: state.limit }) }),
  }),
} as const satisfies Record<string, Fault>
