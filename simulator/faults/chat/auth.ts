/** Callers that are let in, or turned away, by mistake. */
import { headerValues, type Call } from '../../edge/reply.ts'
import {
  wantsStream,
  asRefusal,
  asStream,
  isChatReply,
  onRefusal,
  withLongerKeys,
  withoutPermission,
} from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

const isBearer = (call: Call): boolean => /^Bearer \S/.test(headerValues(call, 'authorization')[0] ?? '')

export const authFaults = {
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
  'invalid-key-streams': fault({
    title: 'The key of a request for a stream is not checked.',
    breaks: ['AUTH-UNKNOWN'],
    ...onRefusal(['INVALID_API_KEY'], (reply, call) =>
      wantsStream(call) && isBearer(call) ? asStream(reply, [{ type: 'done', response: 'Hello!' }]) : reply,
    ),
  }),
} as const satisfies Record<string, Fault>
