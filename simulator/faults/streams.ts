/** Streams that are framed, ordered or ended wrongly. */
import type { StreamEvent } from '../edge/reply.ts'
import {
  asStream,
  charge,
  collected,
  memberText,
  onEvent,
  onEvents,
  onRefusal,
  onText,
  wantsStream,
  withoutMembers,
} from '../modification/changes.ts'
import { type Fault, fault } from '../modification/modification.ts'

const injected = '\n\ndata: '

/** Encodes the JSON of every event of a write. */
const encodedBy = (encode: (json: string) => string) =>
  onText((text) =>
    text
      .split('\n')
      .map((line) => (line.startsWith('data: ') ? encode(line.slice('data: '.length)) : line))
      .join('\n'),
  )

export const streamFaults = {
  'stream-as-ndjson': fault({
    title: 'A stream says that it is application/x-ndjson.',
    breaks: ['SSE-CONTENT-TYPE'],
    wire: { streamContentType: 'application/x-ndjson' },
  }),
  'stream-in-latin-1': fault({
    title: 'A stream says that it is in ISO-8859-1.',
    breaks: ['SSE-CHARSET'],
    wire: { streamContentType: 'text/event-stream; charset=iso-8859-1' },
  }),
  'charset-as-content-encoding': fault({
    title: 'A stream has its charset in the header of its compression.',
    breaks: ['SSE-ENCODING'],
    reply: (reply) =>
      reply.kind === 'stream'
        ? { ...reply, headers: [...reply.headers, ['Content-Encoding', 'utf-8']] }
        : reply,
  }),
  'socket-dropped-after-done': fault({
    title: 'The socket is dropped after done, and the body is never ended.',
    breaks: ['SSE-CLEAN-END'],
    async *bytes(chunks) {
      yield* chunks
      throw new Error('The process ended together with the turn.')
    },
  }),
  'stream-left-open': fault({
    title: 'A stream that says goodbye stays open for a while after done.',
    breaks: ['SSE-CLOSES'],
    async *events(events, _about, state) {
      let polite = false
      for await (const event of events) {
        polite ||= event.type === 'done' && memberText(event['response']).includes('goodbye')
        yield event
      }
      if (polite) await state.clock.sleep(5_500)
    },
  }),
  'greeting-in-latin-1': fault({
    title: 'A stream begins with a greeting in a comment that is written in Latin-1.',
    breaks: ['SSE-UTF8'],
    async *bytes(chunks) {
      yield Buffer.from(': Schön, dass Sie da sind.\n\n', 'latin1')
      yield* chunks
    },
  }),
  'heartbeat-as-field': fault({
    title: 'A stream begins with a heartbeat that is not a comment.',
    breaks: ['SSE-FIELDS'],
    wire: { preamble: 'heartbeat\n\n' },
  }),
  'data-without-blank': fault({
    title: 'Data lines have no blank after the colon.',
    breaks: ['SSE-DATA-PREFIX'],
    wire: { dataPrefix: 'data:' },
  }),
  'done-marker': fault({
    title: 'A stream ends with the word [DONE] after its last event.',
    breaks: ['SSE-DATA-JSON', 'SSE-NOTHING-AFTER'],
    async *bytes(chunks) {
      yield* chunks
      yield Buffer.from('data: [DONE]\n\n')
    },
  }),
  'token-without-type': fault({
    title: 'A token event has no type, as it is the most frequent one.',
    breaks: ['SSE-DATA-TYPE'],
    ...encodedBy((json) => `data: ${json.replace('"type":"token",', '')}`),
  }),
  'first-tokens-merged': fault({
    title: 'The first two events of a stream have no empty line between them.',
    breaks: ['SSE-SEPARATED'],
    async *bytes(chunks) {
      let first = true
      for await (const chunk of chunks) {
        const token = first && Buffer.from(chunk).toString('utf8').startsWith('data: {"type":"token"')
        first = false
        yield token ? chunk.subarray(0, -1) : chunk
      }
    },
  }),
  'last-blank-missing': fault({
    title: 'No empty line stands after the last event.',
    breaks: ['SSE-FINAL-BLANK'],
    async *bytes(chunks) {
      let held: Uint8Array | null = null
      for await (const chunk of chunks) {
        if (held) yield held
        held = chunk
      }
      if (held) yield held.subarray(0, -1)
    },
  }),
  'framed-text-passed-through': fault({
    title: 'Text that looks like a framed event is passed on as it is.',
    breaks: ['SSE-NO-INJECTION', 'SSE-ONE-TERMINAL', 'SSE-NOTHING-AFTER'],
    ...encodedBy((json) => {
      const event = JSON.parse(json) as { type: string; response?: string }
      const at = event.response?.indexOf(injected) ?? -1
      if (event.type !== 'done' || at === -1) return `data: ${json}`
      const [rest = ''] = (event.response?.slice(at + injected.length) ?? '').split(/[\r\n]/)
      return `data: ${rest}\n\ndata: ${json}`
    }),
  }),
  'refusal-in-stream': fault({
    title: 'Where a stream was asked for, a refusal is an error event in a stream that is answered 200.',
    breaks: [
      'SSE-REFUSAL-JSON',
      'AUTH-STREAM',
      'CRED-EMPTY-STREAM',
      'IDEM-CONFLICT-STREAM',
      'IDEM-IN-FLIGHT-JSON',
      'RATE-STREAM-JSON',
      'AUTH-UNKNOWN',
      'AUTH-AGENT-UNKNOWN',
    ],
    ...onRefusal([], (reply, call) =>
      wantsStream(call) ? asStream(reply, [{ type: 'error', error: reply.about.code ?? '' }]) : reply,
    ),
  }),
  'token-of-digits-as-number': fault({
    title: 'A token of digits alone is a number.',
    breaks: ['SSE-TOKEN'],
    ...onEvent('token', ({ token = '' }) => ({ token: Number(token) || token })),
  }),
  'tokens-trimmed': fault({
    title: 'Tokens lose the blanks at their ends.',
    breaks: ['SSE-TOKENS-JOIN'],
    ...onEvent('token', ({ token }) => ({ token: memberText(token).trim() })),
  }),
  'actions-in-snake-case': fault({
    title: 'Tools are named in action_name.',
    breaks: ['SSE-ACTION-START', 'SSE-ACTION-COMPLETE'],
    ...onEvents((event) =>
      event.type.startsWith('action_')
        ? [
            {
              ...withoutMembers(event, 'actionName'),
              type: event.type,
              action_name: event['actionName'] ?? '',
            },
          ]
        : [event],
    ),
  }),
  'action-success-as-text': fault({
    title: 'Whether a tool succeeded is said in a text.',
    breaks: ['SSE-ACTION-SUCCESS'],
    ...onEvent('action_complete', (event) => ({ ...event, success: memberText(event['success']) })),
  }),
  'action-never-completes': fault({
    title: 'A tool is started twice and finished once.',
    breaks: ['SSE-ACTION-PAIRED'],
    ...onEvents((event) => (event.type === 'action_start' ? [event, event] : [event])),
  }),
  'gate-without-reason': fault({
    title: 'A gate says what it decided and not why.',
    breaks: ['SSE-GATE'],
    ...onEvent('gate_triggered', (event) => withoutMembers(event, 'reason')),
  }),
  'done-without-response': fault({
    title: 'done has no response, as the tokens had it all.',
    breaks: ['SSE-DONE-RESPONSE', 'IDEM-REPLAY-RESPONSE', 'IDEM-STREAM-REPLAY-RESPONSE'],
    ...onEvent('done', (event, { paused }) => (paused ? event : withoutMembers(event, 'response'))),
  }),
  'done-response-empty': fault({
    title: 'done has an empty response, as the tokens had it all.',
    breaks: ['SSE-DONE-FILLED', 'SSE-TOKENS-JOIN', 'IDEM-REPLAY-RESPONSE', 'IDEM-STREAM-REPLAY-RESPONSE'],
    ...onEvent('done', (event) => ({ ...event, response: '' })),
  }),
  'done-without-conversation': fault({
    title: 'done does not name the conversation.',
    breaks: [
      'SSE-DONE-CONVERSATION',
      'IDEM-REPLAY-CONVERSATION',
      'IDEM-STREAM-REPLAY-CONVERSATION',
      'CONV-AFTER-STREAM',
      'PAUSE-FIELDS',
    ],
    ...onEvent('done', (event) => withoutMembers(event, 'conversation_id')),
  }),
  'done-without-credits': fault({
    title: 'done has no credits.',
    breaks: ['SSE-DONE-CREDITS-USED', 'SSE-DONE-CREDITS-REMAINING'],
    ...onEvent('done', (event) => withoutMembers(event, 'credits_used', 'credits_remaining')),
  }),
  'done-twice': fault({
    title: 'A live stream sends done twice.',
    breaks: ['SSE-ONE-TERMINAL', 'SSE-NOTHING-AFTER'],
    ...onEvents((event, { replay }) => (event.type === 'done' && !replay ? [event, event] : [event])),
  }),
  'token-after-done': fault({
    title: 'The last token comes after done.',
    breaks: ['SSE-NOTHING-AFTER', 'SSE-TOKENS-JOIN'],
    async *events(events) {
      const all = await collected(events)
      const [token, done] = all.slice(-2)
      const late = token?.type === 'token' && done?.type === 'done'
      const order: readonly StreamEvent[] = late ? [...all.slice(0, -2), done, token] : all
      yield* order
    },
  }),
  'error-as-message': fault({
    title: 'An error event carries its text as message.',
    breaks: ['SSE-ERROR'],
    ...onEvent('error', ({ error = '' }) => ({ message: error })),
  }),
  'failed-turn-charged': fault({
    title: 'A turn that failed while it was streamed is charged, and so is its retry.',
    breaks: ['SSE-ERROR-ONE-CHARGE'],
    ...onEvents((event, about, state) => {
      if (event.type === 'error') charge(about, state)
      return [event]
    }),
  }),
  'token-after-error': fault({
    title: 'A stream that failed goes on with the tokens that were under way.',
    breaks: ['SSE-ERROR-ENDS', 'SSE-NOTHING-AFTER'],
    ...onEvents((event) => (event.type === 'error' ? [event, { type: 'token', token: ' And' }] : [event])),
  }),
} as const satisfies Record<string, Fault>
