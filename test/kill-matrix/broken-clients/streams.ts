/** What clients get wrong in a stream. */
import { contractIdentifiers } from '../../../spec/index.ts'
import { place, type BrokenClient, type Patch } from './patch.ts'

const { data, decoded, done, ended, event, failed, lines, replied } = place

/** Whatever came is a reply once nothing comes any more. */
const endIsReply: Patch = [
  replied,
  "last = event\n      }\n      return report({ saw: 'reply', reply: last })\n",
]
const remembered: Patch = [
  'for await (const event of stream(service, task)) {',
  'let last: Members = {}\n      for await (const event of stream(service, task)) {',
]

export const brokenStreams: Readonly<Record<string, BrokenClient>> = {
  'takes each chunk for whole lines': {
    patches: [["rest = lines.pop() ?? ''", "rest = ''"]],
    found: { 'LIB-STREAM-SPLIT-CHARACTER': 'fail', 'LIB-STREAM-SPLIT-LINE': 'fail' },
  },
  'drops what is cut by a chunk': {
    patches: [
      ["rest = lines.pop() ?? ''", "rest = ''"],
      [event, 'const event = parsed(line.slice(5))\n    if (event.type === undefined) continue'],
    ],
    found: { 'LIB-STREAM-SPLIT-CHARACTER': 'fail', 'LIB-STREAM-SPLIT-LINE': 'fail' },
  },
  'decodes each chunk by itself': {
    patches: [[decoded, 'const text = new TextDecoder().decode(chunk)']],
    found: { 'LIB-STREAM-SPLIT-CHARACTER': 'fail', 'LIB-STREAM-SPLIT-LINE': 'fail' },
  },
  'reads a stream as Latin-1': {
    patches: [['new TextDecoder()', "new TextDecoder('latin1')"]],
    found: { 'LIB-STREAM': 'fail', 'LIB-STREAM-UNKNOWN': 'fail' },
  },
  'knows one line end only': {
    patches: [[lines, String.raw`const lines = rest.split('\n')`]],
    found: { 'LIB-STREAM-GRAMMAR': 'fail', 'LIB-STREAM-SPLIT-LINE': 'fail' },
  },
  'knows no return for a line end': {
    patches: [[lines, String.raw`const lines = rest.split(/\r?\n/)`]],
    found: { 'LIB-STREAM-GRAMMAR': 'fail', 'LIB-STREAM-SPLIT-LINE': 'fail' },
  },
  'looks for events between empty lines of one kind': {
    patches: [
      [lines, String.raw`const lines = rest.split('\n\n')`],
      [event, String.raw`const event = membersOf(JSON.parse(line.replace(/^data:/gm, '')))`],
    ],
    found: { 'LIB-STREAM-GRAMMAR': 'fail', 'LIB-STREAM-SPLIT-LINE': 'fail' },
  },
  'takes comments for data': {
    patches: [
      [data, "if (line.trim() === '') continue"],
      [event, String.raw`const event = membersOf(JSON.parse(line.replace(/^\w*:/, '')))`],
    ],
    found: { 'LIB-STREAM-GRAMMAR': 'fail' },
  },
  'wants a blank behind the colon': {
    patches: [[data, data.replace("'data:'", "'data: '")]],
    found: { 'LIB-STREAM-GRAMMAR': 'warn' },
  },
  'wants every line to be data': {
    patches: [
      [
        data,
        "if (line === '') continue\n    if (!line.startsWith('data:')) throw new Error(`what is ${line}?`)",
      ],
    ],
    found: { 'LIB-STREAM-GRAMMAR': 'fail' },
  },
  'throws at an event that it does not know': {
    patches: [
      [
        event,
        `${event}\n    if (!['token', 'action_start', 'action_complete', 'gate_triggered', 'done', 'error'].includes(String(event.type)))\n      throw new Error(\`unknown event \${String(event.type)}\`)`,
      ],
    ],
    found: { 'LIB-STREAM-UNKNOWN': 'fail' },
  },
  'stops at an event that it does not know': {
    patches: [
      [
        done,
        "if (!['token', 'action_start', 'action_complete', 'gate_triggered', 'error'].includes(String(event.type))) return\n",
      ],
    ],
    found: { 'LIB-STREAM-UNKNOWN': 'fail' },
  },
  'takes the end of a stream for done': {
    patches: [remembered, endIsReply, [ended, '']],
    found: { 'LIB-STREAM-CUT': 'fail' },
  },
  'passes over an error event': {
    patches: [remembered, endIsReply, [failed, "if (event.type === 'error') return"]],
    found: { 'LIB-STREAM-ERROR': 'fail' },
  },
  'gives a reply for each done': {
    patches: [
      [done, "if (event.type === 'done') whole = true\n"],
      [ended, `if (!whole) ${ended}`],
      [
        'for await (const line of linesOf(body)) {',
        'let whole = false\n  for await (const line of linesOf(body)) {',
      ],
    ],
    found: { 'LIB-STREAM-ONCE': 'warn' },
  },
  'gives events in another order': {
    patches: [
      [
        'yield* eventsOf(response.body)',
        '{\n    const events = await Array.fromAsync(eventsOf(response.body))\n    yield* events.toSorted((one, other) => String(one.token).localeCompare(String(other.token)))\n  }',
      ],
    ],
    found: { 'LIB-STREAM': 'fail', 'LIB-STREAM-UNKNOWN': 'fail' },
  },
  'loses the token that comes with done': {
    patches: [
      [
        "rest = lines.pop() ?? ''",
        "rest = lines.pop() ?? ''\n    if (lines.length > 2) lines.splice(0, lines.length - 2)",
      ],
    ],
    found: { 'LIB-STREAM-SPLIT-LINE': 'fail' },
  },
  'keeps of a line no more than 4 KiB': {
    patches: [["rest = lines.pop() ?? ''", "rest = (lines.pop() ?? '').slice(0, 4096)"]],
    found: { 'LIB-STREAM-SPLIT-LINE': 'fail' },
  },
  'asks again when a stream breaks off, with a new key': {
    patches: [
      [
        "if (response.body && type.startsWith('text/event-stream')) yield* eventsOf(response.body)",
        "if (response.body && type.startsWith('text/event-stream')) {\n    try {\n      yield* eventsOf(response.body)\n    } catch {\n      yield* stream(service, { ...asked, idempotencyKey: crypto.randomUUID() })\n    }\n  }",
      ],
    ],
    found: { 'LIB-SENT-AGAIN': 'fail' },
  },
  'takes a replay for a failure of a stream': {
    patches: [
      [
        'if (!response.ok) throw',
        `if (!response.ok || response.headers.has('${contractIdentifiers.replayHeader}')) throw`,
      ],
    ],
    found: { 'LIB-STREAM': 'fail' },
  },
  'makes a reply of a stream up where none came': {
    patches: [
      [
        'yield* eventsOf(response.body)',
        "{\n    try {\n      yield* eventsOf(response.body)\n    } catch {\n      yield { type: 'done', response: 'Sorry, please try again.' }\n    }\n  }",
      ],
      ['if (!response.ok) throw failureOf(response.status, parsed(await response.text()))', ''],
    ],
    found: { 'LIB-NO-FALSE-REPLY': 'fail', 'LIB-STREAM-CUT': 'fail', 'LIB-STREAM-ERROR': 'fail' },
  },
  'takes a new key after a stream was refused': {
    patches: [
      ['if (status !== 429) return null', 'if (status !== 429) return pauseMs / 5'],
      [
        place.request,
        place.request.replace(
          'headers',
          "headers: { ...headers, ...(tries > 1 ? { 'idempotency-key': crypto.randomUUID() } : {}) }",
        ),
      ],
    ],
    found: { 'LIB-SENT-AGAIN': 'fail' },
  },
  'wants an event to have members that it knows': {
    patches: [
      [
        event,
        `${event}\n    const known = ['type', 'token', 'actionName', 'success', 'decision', 'reason', 'error', 'response', 'conversation_id', 'credits_used', 'credits_remaining', 'presentation', 'customer_message']\n    if (Object.keys(event).some((name) => !known.includes(name))) throw new Error('unknown member')`,
      ],
    ],
    found: { 'LIB-STREAM-UNKNOWN': 'fail', 'LIB-UNKNOWN-MEMBERS': 'fail' },
  },
  'takes one line of each chunk': {
    patches: [['yield* lines\n', 'yield* lines.slice(0, 1)\n']],
    found: { 'LIB-STREAM': 'fail' },
  },
  'trims each chunk': {
    patches: [["rest += wasReturn && text.startsWith('\\n') ? text.slice(1) : text", 'rest += text.trim()']],
    found: { 'LIB-STREAM': 'fail', 'LIB-STREAM-UNKNOWN': 'fail' },
  },
  'keeps a byte order mark': {
    patches: [['new TextDecoder()', "new TextDecoder('utf-8', { ignoreBOM: true })"]],
    found: { 'LIB-STREAM-GRAMMAR': 'warn' },
  },
  // Only where the service is silent for longer: elsewhere it depends on how busy the machine is.
  'gives a stream a quarter of a second': {
    patches: [[place.request, place.request.replace('body }', 'body, signal: AbortSignal.timeout(250) }')]],
    scenarios: ['client-stream-ends/silence', 'client-stream-grammar/comments-in-silence'],
    found: { 'LIB-STREAM': 'warn', 'LIB-STREAM-GRAMMAR': 'warn' },
  },
  'knows of no tools': {
    patches: [[event, `${event}\n    if (event.type === 'action_start') throw new Error('what is that?')`]],
    found: { 'LIB-STREAM': 'fail' },
  },
  'wants an event to end in the chunk in which it began': {
    patches: [
      [lines, String.raw`const lines = text.split('\n\n')`],
      ["rest = lines.pop() ?? ''", 'lines.pop()'],
    ],
    found: {
      'LIB-STREAM-GRAMMAR': 'fail',
      'LIB-STREAM-SPLIT-CHARACTER': 'fail',
      'LIB-STREAM-SPLIT-LINE': 'fail',
    },
  },
  'makes a reply up where JSON came in place of a stream': {
    patches: [
      [
        "else yield { ...(await json(response)), type: 'done' }",
        "else yield { type: 'done', response: 'Sorry, please try again.' }",
      ],
      ["report({ saw: 'event', event })", "if (event.type !== 'done') report({ saw: 'event', event })"],
    ],
    found: { 'LIB-NO-FALSE-REPLY': 'fail' },
  },
}
