/** Lists and billing reads that show too little or too much, to the wrong keys, or change what they show. */
import { headerValues, jsonReply } from '../edge/reply.ts'
import { isObject } from '../json.ts'
import { apiKeyOfCall, asText, withBodyRule } from '../modification/changes.ts'
import { type Fault, type Modification, fault } from '../modification/modification.ts'
import {
  forbidding,
  onAnswer,
  onOperationBody,
  onRows,
  readOf,
  receiptBodyOf,
  unguarded,
} from '../modification/operation-changes.ts'
import { hmacSha256Hex } from '../webhooks/delivery/envelope.ts'
import { limits } from '../../spec/index.ts'

const isList = ({ operation }: { operation: string }): boolean => operation === 'discover'

const isKeyless = (call: Parameters<typeof headerValues>[0]): boolean =>
  headerValues(call, 'authorization').length === 0

/** The limit of a message, with its length measured in another way. */
const longestBy = (measure: (message: string) => number): NonNullable<Modification['rules']> =>
  withBodyRule('message-max', ({ message }) =>
    typeof message === 'string' && measure(message) > limits.messageMaxCharacters
      ? 'message is too long.'
      : null,
  )

/** A digest whose digits are written part by part as numbers are, each part so many digits long. */
const withoutZeros =
  (digits: number): NonNullable<Modification['rules']> =>
  () => ({
    signature: (body, secret) => {
      const parts = hmacSha256Hex(body, secret).match(new RegExp(`.{${digits}}`, 'g')) ?? []
      return `sha256=${parts.map((part) => BigInt(`0x${part}`).toString(16)).join('')}`
    },
  })

export const readFaults = {
  'operations-created': fault({
    title: 'The list of operations is answered 201.',
    breaks: ['OPS-LIST'],
    ...onAnswer(
      (about, { status }) => isList(about) && status === 200,
      (reply) => ({ ...reply, status: 201 }),
    ),
  }),
  'schema-of-inspection-for-all': fault({
    title: 'Every operation is listed with the input schema of `agent_setup.inspect`.',
    breaks: ['OPS-SCHEMA'],
    ...onRows((row) => ({ ...row, inputSchema: { type: 'object', required: ['agentId'] } })),
  }),
  'inspection-listed-for-all': fault({
    title: 'Every key is shown `agent_setup.inspect`.',
    breaks: ['OPS-PER-KEY', 'OPS-LISTED-PERMITTED'],
    rules: (was) => ({
      isListed: (operation, apiKey, state) =>
        operation.id === 'agent_setup.inspect' || was.isListed(operation, apiKey, state),
    }),
  }),
  'usage-as-text': fault({
    title: 'The usage is said to be plain text.',
    breaks: ['BILL-USAGE'],
    ...onAnswer(readOf('billing.usage'), (reply) => asText(reply, 'text/plain', JSON.stringify(reply.body))),
  }),
  'usage-flat': fault({
    title: 'The usage has `credits_remaining` in place of `credits.remaining`.',
    breaks: ['BILL-USAGE-CREDITS'],
    ...onOperationBody(readOf('billing.usage'), ({ credits = {} }) => ({
      credits_remaining: isObject(credits) ? (credits['remaining'] ?? null) : null,
    })),
  }),
  'usage-open': fault({
    title: 'A key without billing_read reads the usage.',
    breaks: ['BILL-USAGE-SCOPE'],
    rules: unguarded('scope', ({ id }) => id === 'billing.usage'),
  }),
  'plan-by-another-name': fault({
    title: 'The plan of the subscription has a `label`.',
    breaks: ['BILL-SUBSCRIPTION'],
    ...onOperationBody(readOf('billing.subscription'), ({ plan = {}, ...body }) => ({
      ...body,
      plan: isObject(plan) ? { label: plan['displayName'] ?? '' } : plan,
    })),
  }),
  'plans-not-found': fault({
    title: 'The plans are not found.',
    breaks: ['BILL-PLANS'],
    ...onAnswer(readOf('billing.plans'), (reply) => ({ ...reply, status: 404 })),
  }),
  'invoice-limit-and-one': fault({
    title: 'A list of invoices has one more than its limit, as if to indicate that there are more.',
    breaks: ['BILL-INVOICES-LIMIT'],
    rules: (was) => ({
      invoices: (account, limit, state) => was.invoices(account, limit === null ? null : limit + 1, state),
    }),
  }),
  'subscription-open': fault({
    title: 'A key without billing_read reads the subscription.',
    breaks: ['BILL-READS-SCOPE'],
    rules: unguarded('scope', ({ id }) => id === 'billing.subscription'),
  }),
  'card-in-invoices': fault({
    title: 'An invoice shows the masked number of the card that paid it.',
    breaks: ['BILL-NO-CARD'],
    rules: (was) => ({
      invoices: (account, limit, state) =>
        was
          .invoices(account, limit, state)
          .map((invoice) => ({ ...invoice, paidWith: '**** **** **** 4242' })),
    }),
  }),
  'plan-chosen-by-listing': fault({
    title: 'Listing the plans chooses the first one, for whoever has the largest.',
    breaks: ['BILL-NO-CHANGE'],
    ...onAnswer(readOf('billing.plans'), (reply, call, state) => {
      const account = state.accounts.get(apiKeyOfCall(call, state)?.account ?? '')
      if (account?.plan === 'enterprise') account.plan = 'starter'
      return reply
    }),
  }),
  'task-forbidden-without-key': fault({
    title: 'A task is forbidden for a call without a key.',
    breaks: ['SCOPE-NO-KEY'],
    ...onAnswer(
      ({ operation }, { status }, call) => operation === 'task' && status === 401 && isKeyless(call),
      (reply) => ({ ...reply, status: 403 }),
    ),
  }),
  'revoked-key-executes': fault({
    title: 'A key that was revoked goes on executing operations.',
    breaks: ['SCOPE-UNKNOWN-KEY'],
    rules: (was) => ({
      callerOf: (call, state) =>
        was.callerOf(call, state) ??
        state.apiKeys.get((headerValues(call, 'authorization')[0] ?? '').replace(/^Bearer /, '')) ??
        null,
    }),
  }),
  'inspection-open': fault({
    title: 'A key without agent_design_read inspects the setup of an agent.',
    breaks: ['SCOPE-INSPECT', 'OPS-UNLISTED-REFUSED'],
    rules: unguarded('scope', ({ id }) => id === 'agent_setup.inspect'),
  }),
  'inspection-closed': fault({
    title: 'The inspection is listed for a key with agent_design_read, and refused to it.',
    breaks: ['SCOPE-INSPECT-GRANTED', 'OPS-LISTED-PERMITTED'],
    rules: (was) => ({
      isListed: (operation, apiKey, state) =>
        operation.id === 'agent_setup.inspect'
          ? apiKey.scopes.includes('agent_design_read')
          : was.isListed(operation, apiKey, state),
      ...forbidding('Nobody inspects anything.', (_apiKey, { id }) => id === 'agent_setup.inspect')(was),
    }),
  }),
  'agents-open': fault({
    title: 'A key without read_agents lists agents, which it is not shown.',
    breaks: ['SCOPE-READ-AGENTS', 'OPS-UNLISTED-REFUSED'],
    rules: unguarded('scope', ({ id }) => id === 'agents.list'),
  }),
  'operations-beyond-the-agent': fault({
    title: 'A key restricted to one agent runs operations on the others.',
    breaks: ['SCOPE-AGENT'],
    rules: unguarded('agent-scope', () => true),
  }),
  'usage-needs-chat': fault({
    title: 'The usage is refused to a key without chat.',
    breaks: ['BILL-USAGE'],
    rules: forbidding(
      'The API key lacks the scope chat.',
      ({ scopes }, { id }) => id === 'billing.usage' && !scopes.includes('chat'),
    ),
  }),
  'webhooks-changed-on-any-plan': fault({
    title: 'On a plan without webhook settings those that there are can be changed.',
    breaks: ['PLAN-WEBHOOKS-OTHER'],
    rules: (was) => ({
      hasWebhookSettings: (plan, call) => call.method === 'PATCH' || was.hasWebhookSettings(plan, call),
    }),
  }),
  'webhooks-closed-for-good': fault({
    title: 'Webhook settings stay closed once they were closed, whatever the plan is then.',
    breaks: ['PLAN-WEBHOOKS'],
    rules: (was) => {
      let wasClosed = false
      return {
        hasWebhookSettings(plan, call) {
          wasClosed ||= !was.hasWebhookSettings(plan, call)
          return !wasClosed
        },
      }
    },
  }),
  'inspection-paused': fault({
    title: 'An agent whose replies are paused is not inspected.',
    breaks: ['EXEC-LISTED'],
    ...onAnswer(receiptBodyOf('agent_setup.inspect', 'completed'), (reply, _call, state) =>
      state.agents.get(reply.about.agentId ?? '')?.paused
        ? jsonReply(409, { error: 'AI_REPLY_PAUSED' }, reply.about)
        : reply,
    ),
  }),
  'message-counted-in-bytes': fault({
    title: 'The length of a message is counted in bytes.',
    breaks: ['REQ-MESSAGE-MAX'],
    rules: longestBy((message) => Buffer.byteLength(message)),
  }),
  'keys-in-any-case': fault({
    title: 'Two keys that differ in their case are one.',
    breaks: ['IDEM-KEY-DISTINCT'],
    rules: () => ({ normalizeKey: (key) => key.toLowerCase() }),
  }),
  'digest-without-leading-zeros': fault({
    title: 'A digest is written as one number, which has no zeros at its beginning.',
    breaks: ['SIGN-LENGTH', 'SIGN-VALUE'],
    chance: ['SIGN-RAW', 'SIGN-RETRY', 'DLV-RESERVED-HEADERS', 'HOOK-UPDATE-REST'],
    rules: withoutZeros(64),
  }),
  'digest-words-without-leading-zeros': fault({
    title: 'A digest is written as eight numbers, none of which has zeros at its beginning.',
    breaks: ['SIGN-LENGTH', 'SIGN-VALUE'],
    chance: ['SIGN-RAW', 'SIGN-RETRY', 'DLV-RESERVED-HEADERS', 'HOOK-UPDATE-REST'],
    rules: withoutZeros(8),
  }),
} as const satisfies Record<string, Fault>
