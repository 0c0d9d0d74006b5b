import { expect, test } from 'vitest'
import { bodyLine } from './body-line.ts'

const long = `{"name":"${'a'.repeat(60)}","events":["a.b"],"custom_headers":{"X-One":"1"}}`

test.each([
  ['a short body', '{"a":1}', [], '{"a":1}'],
  ['no body', '', [], ''],
  [
    'an event stream',
    'data: {"type":"token"}\n\ndata: {"type":"token"}\n\ndata: {"type":"done"}\n\n',
    [],
    'events: 2 × token, done',
  ],
  ['a long body', long, [], `{"name":"${'a'.repeat(20)}…","events":["a.b"],"custom_headers":{"X-One":…`],
  ['a long body about one member', long, ['custom_headers'], '…"custom_headers":{"X-One":"1"}}'],
  ['a member that occurs twice', `[${long},${long}]`, ['custom_headers'], `[{"name":"${'a'.repeat(20)}…",`],
  ['a body of quotes without an end', '"a\\"'.concat('\\"'.repeat(1 << 20)), [], String.raw`"a\"\"`],
  ['lines and bytes that a terminal acts on', '{\n"a":\u001b[2J}', [], String.raw`{\n"a":\u001b[2J}`],
] as const)('%s', (_, body, members, line) => {
  expect(bodyLine(body, 44, members).startsWith(line)).toBe(true)
  expect(bodyLine(body, 44, members).length).toBeLessThanOrEqual(76)
})
