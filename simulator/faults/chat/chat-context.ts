/** What was said before, who says it or how it is sent has a say in what it has no say in. */
import type { Call } from '../../server/call.ts'
import { headerValues } from '../../server/call.ts'
import type { Reply, StreamReply } from '../../server/reply.ts'
import type { ChatRefusalCode } from '../../chat/refusal.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { apiKeyOfCall, sentBody, wantsStream } from '../../modification/asked.ts'
import {
  asStream,
  collected,
  isChatReply,
  onJson,
  onRefusal,
  memberText,
  withoutMembers,
} from '../../modification/changes.ts'
import { fault, type Fault, type TenantHooks } from '../../modification/modification.ts'
import { madeUp } from './chat-crossed.ts'

/** Whether a call goes on with a conversation that there is, with any agent. */
function continues(call: Call, { conversations }: TenantState): boolean {
  const id = memberText(sentBody(call)['conversation_id'])
  return id !== '' && conversations.values().some((conversation) => conversation.id === id)
}

/** Answers such a refusal as a turn where it applies. */
const letsIn = (code: ChatRefusalCode, when: (call: Call, state: TenantState) => boolean): TenantHooks =>
  onRefusal([code], (reply, call, state) =>
    when(call, state) ? { ...reply, status: 200, body: madeUp(state) } : reply,
  )

const permissions = {
  'continued-without-chat': fault({
    title: 'A key without chat goes on with a conversation that another key began.',
    breaks: ['AUTH-NO-CHAT'],
    ...letsIn('MISSING_SCOPE', continues),
  }),
  'button-opens-agents': fault({
    title: 'A key restricted to one agent presses the buttons of the others.',
    breaks: ['AUTH-AGENT-SCOPE'],
    ...letsIn('AGENT_OUT_OF_SCOPE', (call) => sentBody(call)['interaction'] !== undefined),
  }),
  'agent-beyond-ascii-crashes': fault({
    title: 'The id of an agent that is not ASCII ends in a server error.',
    breaks: ['AUTH-AGENT-UNKNOWN'],
    ...onRefusal(['AGENT_NOT_FOUND'], (reply, { params }) =>
      /[^ -~]/.test(params['agentId'] ?? '') ? { ...reply, status: 500 } : reply,
    ),
  }),
  'restricted-key-without-balance': fault({
    title: 'A key restricted to one agent gets null for the credits that are left.',
    breaks: ['RES-CREDITS-REMAINING'],
    ...onJson((body, _about, call, state) =>
      apiKeyOfCall(call, state)?.agent ? { ...body, credits_remaining: null } : body,
    ),
  }),
} as const satisfies Record<string, Fault>

function unstreamed({ events, ...reply }: StreamReply): Reply {
  const chunks = (async function* () {
    const done = (await collected(events)).find(({ type }) => type === 'done') ?? { type: 'done' }
    yield Buffer.from(JSON.stringify(withoutMembers(done, 'type')))
  })()
  return {
    ...reply,
    kind: 'bytes',
    headers: [...reply.headers, ['Content-Type', 'application/json']],
    chunks,
  }
}

const isCarriedByX = (call: Call): boolean => headerValues(call, 'x-idempotency-key').length > 0

/** A conversation that began with a stream goes on with streams. */
function sticking(): TenantHooks {
  const streamed = new Set<string>()
  return {
    events: async function* (events) {
      for await (const event of events) {
        if (event.type === 'done') streamed.add(memberText(event['conversation_id']))
        yield event
      }
    },
    reply: (reply, call) => {
      const { stream, conversation_id: id } = sentBody(call)
      return isChatReply(reply) && stream === undefined && streamed.has(memberText(id))
        ? asStream(reply, [{ ...reply.body, type: 'done' }])
        : reply
    },
  }
}

const streams = {
  'x-header-unstreams': fault({
    title: 'Where the key is in X-Idempotency-Key, a stream is answered as JSON.',
    breaks: ['SSE-CONTENT-TYPE'],
    reply: (reply, call) => (reply.kind === 'stream' && isCarriedByX(call) ? unstreamed(reply) : reply),
  }),
  'header-unstreams': fault({
    title: 'Where the key is in Idempotency-Key, a stream is answered as JSON.',
    breaks: ['SSE-CONTENT-TYPE'],
    reply: (reply, call) =>
      reply.kind === 'stream' && headerValues(call, 'idempotency-key').length > 0 ? unstreamed(reply) : reply,
  }),
  'accept-unstreams': fault({
    title: 'A client that accepts JSON too gets no stream.',
    breaks: ['SSE-CONTENT-TYPE'],
    reply: (reply, call) =>
      reply.kind === 'stream' && headerValues(call, 'accept').some((value) => value.includes('/json'))
        ? unstreamed(reply)
        : reply,
  }),
  'conversation-keeps-streaming': fault({
    title: 'A conversation that began with a stream is answered by streams from then on.',
    breaks: ['REQ-STREAM-DEFAULT'],
    remember: sticking,
  }),
  'any-text-streams': fault({
    title: 'Any text as stream asks for one, also the text false.',
    breaks: ['REQ-STREAM-FALSE'],
    rules: (was) => ({
      streamFlag: (value) => (typeof value === 'string' ? value !== '' : was.streamFlag(value)),
    }),
  }),
  'streamed-keyless-in-words': fault({
    title: 'Where a stream was asked for, a missing idempotency key is called an invalid request.',
    breaks: ['IDEM-KEY-REQUIRED-CODE'],
    ...onRefusal(['IDEMPOTENCY_KEY_REQUIRED'], (reply, call, { rules }) =>
      wantsStream(call) ? { ...reply, body: rules.errorLayout(null, 'invalid request') } : reply,
    ),
  }),
} as const satisfies Record<string, Fault>

const bodies = {
  'refused-press-uses-button': fault({
    title: 'A button is used up by a request that is refused for its body.',
    breaks: ['FLOW-PRESS-STATUS'],
    ...onRefusal(['INVALID_BODY'], (reply, call, { conversations }) => {
      const { interaction, conversation_id: id } = sentBody(call)
      const pressed = conversations.values().find((conversation) => conversation.id === id)
      if (interaction !== undefined && pressed) pressed.current = 0
      return reply
    }),
  }),
} as const satisfies Record<string, Fault>

export const chatContextFaults = { ...permissions, ...streams, ...bodies }
