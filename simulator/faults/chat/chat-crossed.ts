/** Answers that are right alone, and wrong in a stream, with an interaction, while paused or when they are replayed. */
import type { ChatRefusalCode } from '../../chat/refusal.ts'
import type { Call } from '../../server/call.ts'
import type { JsonReply, Reply } from '../../server/reply.ts'
import type { JsonObject } from '../../json.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { apiKeyOfCall, sentBody, wantsStream } from '../../modification/asked.ts'
import {
  asStream,
  asText,
  isChatReply,
  onEvents,
  onRefusal,
  memberText,
  withoutMembers,
  refuseWhere,
} from '../../modification/changes.ts'
import { fault, type Fault, type TenantHooks } from '../../modification/modification.ts'
import { withBodyRule, withBodyRulesWhere } from '../../modification/rule-changes.ts'

const messageRules = ['message-required', 'message-string', 'message-min', 'message-max'] as const

/** The fields of a reply to a message that should have been refused. */
export function madeUp({ random }: TenantState): JsonObject {
  return { response: 'Yes.', conversation_id: random.uuid(), credits_used: 1, credits_remaining: 1 }
}

function storedFields(state: TenantState): JsonObject {
  const { rules, random } = state
  const customer_message = rules.customerMessage(rules.pausedMark, random.uuid())
  return { ...madeUp(state), response: '', customer_message }
}

/** Answers such a refusal of a request for a stream by a stream that ends well. */
function streamsOn(
  code: ChatRefusalCode,
  fields = madeUp,
  when: (call: Call) => boolean = () => true,
): TenantHooks {
  return onRefusal([code], (reply, call, state) =>
    wantsStream(call) && when(call) ? asStream(reply, [{ ...fields(state), type: 'done' }]) : reply,
  )
}

const nested = (reply: JsonReply): Reply => ({ ...reply, body: { error: reply.body } })

const longerThan = (most: number, message: unknown): string | null =>
  typeof message === 'string' && message.length > most ? 'message is too long.' : null

const inStreams = {
  'streamed-message-unchecked': fault({
    title: 'The message of a request for a stream is not looked at.',
    breaks: ['REQ-MESSAGE-REQUIRED', 'REQ-MESSAGE-STRING', 'REQ-MESSAGE-EMPTY', 'REQ-MESSAGE-OVER'],
    rules: withBodyRulesWhere(({ stream }) => stream !== true, ...messageRules),
  }),
  'streamed-members-unchecked': fault({
    title: 'Of a request for a stream only the message is looked at.',
    breaks: ['REQ-CONVERSATION-STRING', 'REQ-CONVERSATION-UUID', 'REQ-INTERACTION-OBJECT'],
    interpretations: { 'GAP-UNKNOWN-CONVERSATION': 'start' },
    rules: withBodyRulesWhere(
      ({ stream }) => stream !== true,
      'conversation-string',
      'conversation-uuid',
      'interaction-object',
    ),
  }),
  'streamed-message-of-4000': fault({
    title: 'A message may have 4,000 characters where a stream is asked for.',
    breaks: ['REQ-MESSAGE-MAX', 'REQ-ROUTE'],
    rules: withBodyRule('message-max', ({ message, stream }) =>
      longerThan(stream === true ? 4_000 : 10_000, message),
    ),
  }),
  'streamed-key-optional': fault({
    title: 'A request for a stream needs no key.',
    breaks: ['IDEM-KEY-REQUIRED'],
    ...streamsOn('IDEMPOTENCY_KEY_REQUIRED'),
  }),
  'streamed-key-of-any-length': fault({
    title: 'The length of a key is not looked at where a stream is asked for.',
    breaks: ['IDEM-KEY-OVER'],
    ...streamsOn(
      'INVALID_BODY',
      madeUp,
      (call) => memberText(sentBody(call)['idempotency_key']).length > 255,
    ),
  }),
  'streamed-refusal-nested': fault({
    title: 'Where a stream was asked for, the error of a bad request is an object.',
    breaks: ['ERR-FLAT', 'ERR-NOT-RECEIPT'],
    ...onRefusal(['INVALID_BODY'], (reply, call) => (wantsStream(call) ? nested(reply) : reply)),
  }),
  'streamed-refusal-as-text': fault({
    title: 'Where a stream was asked for, a bad request says that its error is plain text.',
    breaks: ['ERR-JSON'],
    ...onRefusal(['INVALID_BODY'], (reply, call) =>
      wantsStream(call) ? asText(reply, 'text/plain', JSON.stringify(reply.body)) : reply,
    ),
  }),
} as const satisfies Record<string, Fault>

const whilePaused = {
  'paused-body-unchecked': fault({
    title: 'While AI replies are paused, whatever is sent as a message is stored.',
    breaks: [
      'REQ-MESSAGE-REQUIRED',
      'REQ-MESSAGE-STRING',
      'REQ-MESSAGE-EMPTY',
      'REQ-MESSAGE-OVER',
      'REQ-CONVERSATION-STRING',
      'REQ-CONVERSATION-UUID',
    ],
    ...onRefusal(['INVALID_BODY'], (reply, call, state) => {
      const isPaused = state.agents.get(call.params['agentId'] ?? '')?.paused === true
      return isPaused && Object.keys(sentBody(call)).length > 0
        ? { ...reply, status: 200, body: storedFields(state) }
        : reply
    }),
  }),
} as const satisfies Record<string, Fault>

const withInteraction = {
  'pressed-message-unchecked': fault({
    title: 'The message beside an interaction is not looked at, as its button says it all.',
    breaks: ['REQ-MESSAGE-STRING', 'REQ-MESSAGE-EMPTY', 'REQ-MESSAGE-OVER', 'REQ-MESSAGE-WITH-INTERACTION'],
    rules: withBodyRulesWhere(({ interaction }) => interaction === undefined, ...messageRules),
  }),
  'pressed-message-of-1000': fault({
    title: 'A message may have 1,000 characters beside an interaction.',
    breaks: ['REQ-MESSAGE-MAX'],
    rules: withBodyRule('message-max', ({ message, interaction }) =>
      longerThan(interaction === undefined ? 10_000 : 1_000, message),
    ),
  }),
  'pressed-key-optional': fault({
    title: 'A request with an interaction needs no key.',
    breaks: ['IDEM-KEY-REQUIRED'],
    ...onRefusal(['IDEMPOTENCY_KEY_REQUIRED'], (reply, call, state) =>
      sentBody(call)['interaction'] === undefined ? reply : { ...reply, status: 200, body: madeUp(state) },
    ),
  }),
} as const satisfies Record<string, Fault>

const permissions = {
  'streamed-from-any-agent': fault({
    title: 'A key restricted to one agent gets streams from the others.',
    breaks: ['AUTH-AGENT-SCOPE'],
    ...streamsOn('AGENT_OUT_OF_SCOPE'),
  }),
  'restricted-key-streams-nothing': fault({
    title: 'A key restricted to one agent gets no stream from it.',
    breaks: ['AUTH-AGENT-OWN'],
    ...refuseWhere(
      'AGENT_OUT_OF_SCOPE',
      ({ kind }, call, state) => kind === 'stream' && typeof apiKeyOfCall(call, state)?.agent === 'string',
    ),
  }),
  'forbidden-nested': fault({
    title: 'The error of what a key may not do is an object.',
    breaks: ['ERR-FLAT', 'ERR-NOT-RECEIPT'],
    ...onRefusal(['MISSING_SCOPE', 'AGENT_OUT_OF_SCOPE', 'PLAN_RESTRICTED'], nested),
  }),
} as const satisfies Record<string, Fault>

const conflicts = {
  'streamed-superseded-button-pressed': fault({
    title: 'A superseded button can be pressed again where a stream is asked for.',
    breaks: ['FLOW-STALE-STATUS', 'FLOW-STALE-CODE', 'FLOW-PRESS-CONVERSATION'],
    ...streamsOn('WORKFLOW_INTERACTION_STALE'),
  }),
  'streamed-interaction-stored': fault({
    title: 'An interaction sent while paused is stored like a message where a stream is asked for.',
    breaks: ['PAUSE-INTERACTION-STATUS', 'PAUSE-INTERACTION-CODE', 'FLOW-PRESS-CONVERSATION'],
    ...streamsOn('AI_REPLY_PAUSED', storedFields),
  }),
  'conflict-nested': fault({
    title: 'The error of an interaction that is refused is an object.',
    breaks: ['ERR-FLAT', 'ERR-NOT-RECEIPT'],
    ...onRefusal(['AI_REPLY_PAUSED', 'WORKFLOW_INTERACTION_STALE'], nested),
  }),
} as const satisfies Record<string, Fault>

const withoutCredits = (fields: JsonObject): JsonObject =>
  withoutMembers(fields, 'credits_used', 'credits_remaining')

const replays = {
  'streamed-replay-without-credits': fault({
    title: 'The replay of a stream says nothing of credits, as it uses none.',
    breaks: ['SSE-DONE-CREDITS-USED', 'SSE-DONE-CREDITS-REMAINING', 'RES-CREDITS-WITHOUT-BILLING'],
    ...onEvents((event, { original }) => [
      event.type === 'done' && original === 'stream' ? { type: 'done', ...withoutCredits(event) } : event,
    ]),
  }),
  'replay-as-text': fault({
    title: 'The replay of a JSON reply says that it is plain text.',
    breaks: ['RES-JSON'],
    reply: (reply) =>
      isChatReply(reply) && reply.about.replay
        ? asText(reply, 'text/plain', JSON.stringify(reply.body))
        : reply,
  }),
  'paused-stream-without-credits': fault({
    title: 'Streamed while paused, done says nothing of credits, as none are used.',
    breaks: ['PAUSE-FIELDS'],
    ...onEvents((event, { paused }) => [
      event.type === 'done' && paused ? { type: 'done', ...withoutCredits(event) } : event,
    ]),
  }),
  'streamed-credits-need-billing': fault({
    title: 'In a stream a key without billing_read does not get the credits that are left.',
    breaks: ['RES-CREDITS-WITHOUT-BILLING'],
    reply: (reply, call, state) =>
      reply.kind === 'stream' && !apiKeyOfCall(call, state)?.scopes.includes('billing_read')
        ? {
            ...reply,
            events: (async function* () {
              for await (const event of reply.events)
                yield event.type === 'done' ? { type: 'done', ...withoutCredits(event) } : event
            })(),
          }
        : reply,
  }),
} as const satisfies Record<string, Fault>

export const chatCrossedFaults = {
  ...inStreams,
  ...whilePaused,
  ...withInteraction,
  ...permissions,
  ...conflicts,
  ...replays,
}
