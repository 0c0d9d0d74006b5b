/** What clients get wrong in a stream. */
import { contractIdentifiers } from '../../../spec/index.ts'
import { fails, differs, place, type BrokenClient, type Patch } from './patch.ts'

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
  'takes each chunk for whole lines': fails('LIB-STREAM-SPLIT-CHARACTER LIB-STREAM-SPLIT-LINE', [
    "rest = lines.pop() ?? ''",
    "rest = ''",
  ]),
  'drops what is cut by a chunk': fails(
    'LIB-STREAM-SPLIT-CHARACTER LIB-STREAM-SPLIT-LINE',
    ["rest = lines.pop() ?? ''", "rest = ''"],
    [event, 'const event = parsed(line.slice(5))\n    if (event.type === undefined) continue'],
  ),
  'decodes each chunk by itself': fails('LIB-STREAM-SPLIT-CHARACTER LIB-STREAM-SPLIT-LINE', [
    decoded,
    'const text = new TextDecoder().decode(chunk)',
  ]),
  'reads a stream as Latin-1': fails('LIB-STREAM', ['new TextDecoder()', "new TextDecoder('latin1')"]),
  'knows no return for a line end': fails('LIB-STREAM-GRAMMAR LIB-STREAM-SPLIT-LINE', [
    lines,
    String.raw`const lines = rest.split(/\r?\n/)`,
  ]),
  'knows no return alone for a line end': differs(
    { 'LIB-STREAM-GRAMMAR': 'warn' },
    [lines, String.raw`const lines = rest.split(/\r?\n/)`],
    ["wasReturn && text.startsWith('\\n') ? text.slice(1) : text", 'text'],
  ),
  'ends lines at separators of Unicode': fails('LIB-STREAM-GRAMMAR', [
    lines,
    String.raw`const lines = rest.split(/\r\n|[\n\r\u0085\u2028\u2029]/)`,
  ]),
  'looks for events between empty lines of one kind': fails(
    'LIB-STREAM-GRAMMAR LIB-STREAM-SPLIT-LINE',
    [lines, String.raw`const lines = rest.split('\n\n')`],
    [event, String.raw`const event = membersOf(JSON.parse(line.replace(/^data:/gm, '')))`],
  ),
  'takes comments for data': fails(
    'LIB-STREAM-GRAMMAR',
    [data, "if (line.trim() === '') continue"],
    [event, String.raw`const event = membersOf(JSON.parse(line.replace(/^\w*:/, '')))`],
  ),
  'wants a blank behind the colon': differs({ 'LIB-STREAM-GRAMMAR': 'warn' }, [
    data,
    data.replace("'data:'", "'data: '"),
  ]),
  'throws at an event that it does not know': fails('LIB-STREAM-UNKNOWN', [
    event,
    `${event}\n    if (!['token', 'action_start', 'action_complete', 'gate_triggered', 'done', 'error'].includes(String(event.type)))\n      throw new Error(\`unknown event \${String(event.type)}\`)`,
  ]),
  'takes the end of a stream for done': fails('LIB-STREAM-CUT', remembered, endIsReply, [ended, '']),
  'passes over an error event': fails('LIB-STREAM-ERROR', remembered, endIsReply, [
    failed,
    "if (event.type === 'error') return",
  ]),
  'gives a reply for each done': differs(
    { 'LIB-STREAM-ONCE': 'warn' },
    [done, "if (event.type === 'done') whole = true\n"],
    [ended, `if (!whole) ${ended}`],
    [
      'for await (const line of linesOf(body)) {',
      'let whole = false\n  for await (const line of linesOf(body)) {',
    ],
  ),
  'gives events in another order': fails('LIB-STREAM', [
    'yield* eventsOf(response.body)',
    '{\n    const events = await Array.fromAsync(eventsOf(response.body))\n    yield* events.toSorted((one, other) => String(one.token).localeCompare(String(other.token)))\n  }',
  ]),
  'keeps of a line no more than 4 KiB': fails('LIB-STREAM-SPLIT-LINE', [
    "rest = lines.pop() ?? ''",
    "rest = (lines.pop() ?? '').slice(0, 4096)",
  ]),
  'asks again when a stream breaks off, with a new key': fails('LIB-SENT-AGAIN', [
    "if (response.body && type.startsWith('text/event-stream')) yield* eventsOf(response.body)",
    "if (response.body && type.startsWith('text/event-stream')) {\n    try {\n      yield* eventsOf(response.body)\n    } catch {\n      yield* stream(service, { ...asked, idempotencyKey: crypto.randomUUID() })\n    }\n  }",
  ]),
  'gives the reply of a replay behind what came of it before': fails('LIB-STREAM-CUT', [
    "if (response.body && type.startsWith('text/event-stream')) yield* eventsOf(response.body)",
    "let text = ''\n  if (response.body && type.startsWith('text/event-stream')) {\n    try {\n      for await (const event of eventsOf(response.body)) {\n        if (event.type === 'token') text += String(event.token)\n        yield event\n      }\n    } catch (error) {\n      if (error instanceof Failure && !error.message.includes('ended before')) throw error\n      const reply = await chat(service, asked)\n      yield { ...reply, response: text + String(reply.response), type: 'done' }\n    }\n  }",
  ]),
  'takes a replay for a failure of a stream': fails('LIB-STREAM', [
    'if (!response.ok) throw',
    `if (!response.ok || response.headers.has('${contractIdentifiers.replayHeader}')) throw`,
  ]),
  'makes a reply of a stream up where none came': fails(
    'LIB-NO-FALSE-REPLY LIB-STREAM-CUT LIB-STREAM-ERROR',
    [
      'yield* eventsOf(response.body)',
      "{\n    try {\n      yield* eventsOf(response.body)\n    } catch {\n      yield { type: 'done', response: 'Sorry, please try again.' }\n    }\n  }",
    ],
    ['if (!response.ok) throw failureOf(response.status, parsed(await response.text()))', ''],
  ),
  'takes a new key after a stream was refused': fails(
    'LIB-SENT-AGAIN',
    ['if (status !== 429) return null', 'if (status !== 429) return pauseMs / 5'],
    [
      place.request,
      place.request.replace(
        'headers',
        "headers: { ...headers, ...(tries > 1 ? { 'idempotency-key': crypto.randomUUID() } : {}) }",
      ),
    ],
  ),
  'wants an event to have members that it knows': fails('LIB-STREAM-UNKNOWN LIB-UNKNOWN-MEMBERS', [
    event,
    `${event}\n    const known = ['type', 'token', 'actionName', 'success', 'decision', 'reason', 'error', 'response', 'conversation_id', 'credits_used', 'credits_remaining', 'presentation', 'customer_message']\n    if (Object.keys(event).some((name) => !known.includes(name))) throw new Error('unknown member')`,
  ]),
  'keeps a byte order mark': differs({ 'LIB-STREAM-GRAMMAR': 'warn' }, [
    'new TextDecoder()',
    "new TextDecoder('utf-8', { ignoreBOM: true })",
  ]),
  // Only where the service is silent for longer: elsewhere it depends on how busy the machine is.
  'gives a stream a quarter of a second': {
    ...differs({ 'LIB-STREAM': 'warn', 'LIB-STREAM-GRAMMAR': 'warn' }, [
      place.request,
      place.request.replace('body }', 'body, signal: AbortSignal.timeout(250) }'),
    ]),
    scenarios: ['client-stream-ends/silence', 'client-stream-grammar/comments-in-silence'],
  },
  'leaves a stream at its first event': fails('LIB-STREAM', [
    "report({ saw: 'event', event })",
    "report({ saw: 'event', event })\n        return",
  ]),
  'reports no token, and a reply with more blanks than it has': fails('LIB-STREAM', [
    "report({ saw: 'event', event })",
    "if (event.type === 'done') event.response = String(event.response).replaceAll(' ', '  ')",
  ]),
  'knows of no tools': fails('LIB-STREAM', [
    event,
    `${event}\n    if (event.type === 'action_start') throw new Error('what is that?')`,
  ]),
  'wants an event to end in the chunk in which it began': fails(
    'LIB-STREAM-GRAMMAR LIB-STREAM-SPLIT-CHARACTER LIB-STREAM-SPLIT-LINE',
    [lines, String.raw`const lines = text.split('\n\n')`],
    ["rest = lines.pop() ?? ''", 'lines.pop()'],
  ),
  'makes a reply up where JSON came in place of a stream': fails(
    'LIB-NO-FALSE-REPLY',
    [
      "else yield { ...(await json(response)), type: 'done' }",
      "else yield { type: 'done', response: 'Sorry, please try again.' }",
    ],
    ["report({ saw: 'event', event })", "if (event.type !== 'done') report({ saw: 'event', event })"],
  ),
}
