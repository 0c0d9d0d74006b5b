/** What was said before, who says it or how it is sent has a say in what it has no say in. */
import { type Call, headerValues, type Reply, type StreamReply } from '../../edge/reply.ts'
import {
  apiKeyOfCall,
  sentBody,
  asStream,
  collected,
  isChatReply,
  onJson,
  memberText,
  withoutMembers,
} from '../../modification/changes.ts'
import { fault, type Fault, type TenantHooks } from '../../modification/modification.ts'

const permissions = {
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
} as const satisfies Record<string, Fault>

const bodies = {} as const satisfies Record<string, Fault>

export const chatContextFaults = { ...permissions, ...streams, ...bodies }
