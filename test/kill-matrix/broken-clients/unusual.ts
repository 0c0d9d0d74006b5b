/** Clients that are unusual and right all the same: nothing may be said against them. */
import { place, type Patch } from './patch.ts'

const { headers, key } = place

export const unusualClients: Readonly<Record<string, readonly Patch[]>> = {
  'has the idempotency key in the body': [
    [key, ''],
    [
      place.bytes,
      "const keyed = call.key !== undefined && call.path.includes('/chat/') ? { ...call.body, idempotency_key: call.key } : call.body\n  const body = keyed ? JSON.stringify(keyed) : null\n  if (keyed === call.body && call.key !== undefined) Object.assign(headers, { 'idempotency-key': call.key })",
    ],
  ],
  'calls the header X-Idempotency-Key': [
    [
      key,
      "...(call.key === undefined ? {} : { [call.path.includes('/chat/') ? 'x-idempotency-key' : 'idempotency-key']: call.key }),",
    ],
  ],
  'tries again more often': [['const mostTries = 4', 'const mostTries = 8']],
  'never tries again': [['const mostTries = 4', 'const mostTries = 1']],
  'says nothing': [
    [
      'console.log(`touchstone ${JSON.stringify(line)}`)',
      "'end' in line ? console.log(`touchstone ${JSON.stringify(line)}`) : undefined",
    ],
  ],
  'opens a connection for each request': [[headers, `${headers}\n    connection: 'close',`]],
  'says that it wants no stream': [
    [
      'send(service, turn(service, asked), json)',
      'send(service, { ...turn(service, asked), body: { ...turn(service, asked).body, stream: false } }, json)',
    ],
  ],
  'sends headers and members of its own': [
    [
      headers,
      `${headers}\n    'user-agent': 'unusual/1.0',\n    accept: '*/*',\n    'x-request-id': crypto.randomUUID(),`,
    ],
    [place.turn, place.turn.replace('message', 'message, metadata: { from: "shop" }')],
  ],
  'reads tasks slowly': [
    ['const mostReads = 40', 'const mostReads = 6'],
    ['    await sleep(pauseMs / 5)\n    task', '    await sleep(pauseMs / 2)\n    task'],
  ],
  'reads tasks fast': [['    await sleep(pauseMs / 5)\n    task', '    await sleep(5)\n    task']],
  'gives the events of a stream once it is whole': [
    ['yield* eventsOf(response.body)', 'yield* await Array.fromAsync(eventsOf(response.body))'],
  ],
  'asks again when a stream breaks off, with the same key': [
    [
      "if (response.body && type.startsWith('text/event-stream')) yield* eventsOf(response.body)",
      "let begun = false\n  if (response.body && type.startsWith('text/event-stream')) {\n    try {\n      for await (const event of eventsOf(response.body)) {\n        begun = true\n        yield event\n      }\n    } catch (error) {\n      if (error instanceof Failure || !begun) throw error\n      yield { ...(await chat(service, asked)), type: 'done' }\n    }\n  }",
    ],
  ],
  'writes JSON with blanks': [
    [place.bytes, 'const body = call.body ? JSON.stringify(call.body, null, 2) : null'],
  ],
  'writes JSON with escapes alone': [
    [
      place.bytes,
      String.raw`const body = call.body
    ? JSON.stringify(call.body).replace(/[^ -~]/g, (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'))
    : null`,
    ],
  ],
}
