/** Turns that run at once and get in the way of one another, and text that does not come as it was written. */
import type { TenantData } from '../../tenant/tenant-data.ts'
import { quotedMessage } from '../../chat/plan.ts'
import type { StreamEvent } from '../../edge/reply.ts'
import { onEvents, onJson, memberText } from '../../modification/changes.ts'
import { fault, type Modification, type Fault, type TenantHooks } from '../../modification/modification.ts'
import { rememberedBy } from '../../modification/key-books.ts'

/** The message that came last, by tenant. */
const latest = new WeakMap<TenantData, string>()
const echo = 'You said: '

const noting: NonNullable<Modification['rules']> = (was) => ({
  workMs: 20,
  turnOf(asked, state) {
    latest.set(state, quotedMessage(asked.request.message))
    return was.turnOf(asked, state)
  },
})

/** Tokens go to every stream that is open at the moment. */
function mixed(): TenantHooks {
  const open = new Set<StreamEvent[]>()
  return {
    async *events(events) {
      const others: StreamEvent[] = []
      open.add(others)
      try {
        for await (const event of events) {
          if (event.type === 'token') for (const one of open) if (one !== others) one.push(event)
          yield* others.splice(0)
          yield event
        }
      } finally {
        open.delete(others)
      }
    },
  }
}

export const chatAtOnceFaults = {
  'streams-end-with-the-latest': fault({
    title: 'Streams that run at once all end with the reply to the message that came last.',
    breaks: ['SSE-DONE-RESPONSE', 'SSE-TOKENS-JOIN'],
    rules: noting,
    ...onEvents((event, { replay }, state) => {
      const isOwn = event.type === 'done' && memberText(event['response']).startsWith(echo)
      return [isOwn && replay !== true ? { ...event, response: echo + (latest.get(state) ?? '') } : event]
    }),
  }),
  'streams-mixed': fault({
    title: 'Of streams that run at once each also gets the tokens of the others.',
    breaks: ['SSE-TOKEN', 'SSE-TOKENS-JOIN'],
    rules: () => ({ workMs: 20 }),
    remember: mixed,
  }),
  'astral-as-question-marks': fault({
    title: 'In a reply that is not streamed each character beyond the basic plane is a question mark.',
    breaks: ['RES-RESPONSE-STRING'],
    ...onJson((body) => ({
      ...body,
      response: memberText(body['response']).replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?'),
    })),
  }),
} as const satisfies Record<string, Fault>

export const replicaFaults = {
  'replica-forgets': fault({
    title: 'Each replica remembers only the keys of the requests that came to it.',
    breaks: ['IDEM-REPLAY-HEADER', 'IDEM-CONFLICT-STATUS', 'IDEM-CONFLICT-CODE', 'IDEM-RACE-ONE-RUN'],
    replicas: 2,
    rules: rememberedBy(({ server }) => String(server)),
  }),
} as const satisfies Record<string, Fault>
