/** Answers that are right alone, and wrong in a stream, with an interaction, while paused or when they are replayed. */
import type { ChatRefusalCode } from '../../edge/refusal.ts'
import type { Call, JsonReply, Reply } from '../../edge/reply.ts'
import type { JsonObject } from '../../json.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import {
  wantsStream,
  asStream,
  asText,
  isChatReply,
  onEvents,
  onRefusal,
  withoutMembers,
} from '../../modification/changes.ts'
import { fault, type Fault, type TenantHooks } from '../../modification/modification.ts'

/** The fields of a reply to a message that should have been refused. */
export function madeUp({ random }: TenantState): JsonObject {
  return { response: 'Yes.', conversation_id: random.uuid(), credits_used: 1, credits_remaining: 1 }
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

const inStreams = {
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

const whilePaused = {} as const satisfies Record<string, Fault>

const withInteraction = {} as const satisfies Record<string, Fault>

const permissions = {
  'streamed-from-any-agent': fault({
    title: 'A key restricted to one agent gets streams from the others.',
    breaks: ['AUTH-AGENT-SCOPE'],
    ...streamsOn('AGENT_OUT_OF_SCOPE'),
  }),
  'forbidden-nested': fault({
    title: 'The error of what a key may not do is an object.',
    breaks: ['ERR-FLAT', 'ERR-NOT-RECEIPT'],
    ...onRefusal(['MISSING_SCOPE', 'AGENT_OUT_OF_SCOPE', 'PLAN_RESTRICTED'], nested),
  }),
} as const satisfies Record<string, Fault>

const conflicts = {
  'conflict-nested': fault({
    title: 'The error of an interaction that is refused is an object.',
    breaks: ['ERR-FLAT', 'ERR-NOT-RECEIPT'],
    ...onRefusal(['AI_REPLY_PAUSED', 'WORKFLOW_INTERACTION_STALE'], nested),
  }),
} as const satisfies Record<string, Fault>

const withoutCredits = (fields: JsonObject): JsonObject =>
  withoutMembers(fields, 'credits_used', 'credits_remaining')

const replays = {
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
} as const satisfies Record<string, Fault>

export const chatCrossedFaults = {
  ...inStreams,
  ...whilePaused,
  ...withInteraction,
  ...permissions,
  ...conflicts,
  ...replays,
}
