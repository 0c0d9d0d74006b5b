import { expect, test } from 'vitest'
import { exchange, finding } from '../testing/run.testkit.ts'
import { fromDifference } from './card.ts'
import { bodyLine, evidenceOf, timelineOf } from './exchanges.ts'

const key = '{"message":"Good morning","idempotency_key":"key-1"}'
const reply = '{"response":"Good morning to you","credits_used":1}'
const at = (id: number, sentAt: number, endedAt: number, over: Parameters<typeof exchange>[1] = {}) => ({
  ...exchange(id, { sent: key, came: reply, ...over }),
  sentAt,
  endedAt,
})
const cited = [
  { exchange: 2, as: 'ran again' },
  { exchange: 1, as: 'ran' },
]

test('rows are in the order sent, with role, times from the first, and bodies that repeat named by their exchange', () => {
  const long = (end: string) => ({ came: `{"response":"${'a'.repeat(200)}${end}"}` })
  const alike = [at(1, 0, 1, long('b')), at(2, 2, 3, long('c'))]
  const [first, second] = timelineOf(finding({ verdict: 'fail', evidence: [1, 2], cited }), alike, 8, 60).rows
  expect(second?.received).toBe(first?.received)
  const journal = [at(1, 100, 130), at(2, 110, 150), at(3, 200, 210)]
  const { rows, concurrent, rest } = timelineOf(
    finding({ verdict: 'fail', evidence: [2, 1, 3], cited }),
    journal,
    8,
    60,
  )

  expect(rows).toMatchObject([
    { role: 'ran', decisive: false, from: 0, to: 30, sent: key, received: reply },
    { role: 'ran again', decisive: true, from: 10, to: 50, sent: 'the same as 1', received: 'the same as 1' },
  ])
  expect({ concurrent, rest }).toEqual({ concurrent: true, rest: 1 })
})

test('of a list without citations only the exchange that shows the failure is a row, beside other exchanges', () => {
  const named = (id: number, name: string) => ({ ...at(id, id, id), name })
  const journal = [named(1, 'first'), named(2, 'turns'), named(3, 'turns')]
  const { rows, rest } = timelineOf(finding({ verdict: 'warn', evidence: [3, 1, 2] }), journal, 8, 60)

  expect(rows.map(({ exchange: { id }, decisive }) => [id, decisive])).toEqual([
    [1, false],
    [3, true],
  ])
  expect(rest).toBe(1)
})

test('a delivery shows its signature, a response the header that the failure names', () => {
  const headers = [['X-Service-Signature', 'sha256=ab']] as const
  const delivery = at(1, 0, 1)
  const journal = [
    {
      ...delivery,
      request: { ...delivery.request, headers },
      inbound: { place: '/run/a/1', targetAt: 5 },
    },
  ]

  expect(timelineOf(finding({ verdict: 'fail', evidence: [1] }), journal, 8, 60).rows[0]?.header).toBe(
    'X-Service-Signature: sha256=ab',
  )
})

const long = `{"name":"${'a'.repeat(60)}","events":["a.b"],"custom_headers":{"X-One":"1"}}`

test.each([
  ['a short body', '{"a":1}', [], '{"a":1}'],
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

const beginning = '注文は明日の朝に届きます。'.repeat(10)

test.each([
  ['short texts', 'abc', 'abd', ['abc', 'abd']],
  ['long texts that differ early', `a${beginning}`, `b${beginning}`, [`a${beginning}`, `b${beginning}`]],
  [
    'long texts that differ late',
    `${beginning}赤い`,
    `${beginning}青い`,
    [
      `… (110 equal characters) ${beginning.slice(110)}▸赤い`,
      `… (110 equal characters) ${beginning.slice(110)}▸青い`,
    ],
  ],
])('%s', (_, expected, got, shown) => {
  expect(fromDifference(expected, got)).toEqual(shown)
})

test.each([
  ['fail', [48, 46, 47], 6, [[46], [47], [48, '←']], 0],
  ['warn', [9, 1, 2, 3], 3, [[1], [3], [9, '←']], 1],
  ['inconclusive', [5, 4], 6, [[4], [5]], 0],
  ['error', [], 6, [], 0],
] as const)('%s on %j shows at most %i, in the order sent', (verdict, evidence, most, expected, rest) => {
  const { shown, rest: left } = evidenceOf(finding({ verdict, evidence }), most)

  expect(shown.map(({ id, decisive }) => (decisive ? [id, '←'] : [id]))).toEqual(expected)
  expect(left).toBe(rest)
})

test('shows the exchanges that a check cites, with their roles, and counts the others', () => {
  const cited = [
    { exchange: 7, as: 'update that lost it' },
    { exchange: 3, as: 'created' },
  ]

  expect(evidenceOf(finding({ verdict: 'fail', evidence: [9, 7, 3, 4, 5, 6], cited }), 6)).toEqual({
    shown: [
      { id: 3, as: 'created', decisive: false },
      { id: 7, as: 'update that lost it', decisive: false },
      { id: 9, as: undefined, decisive: true },
    ],
    rest: 3,
  })
})
