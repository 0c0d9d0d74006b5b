import { expect, test } from 'vitest'
import { exchange, finding } from '../testing/run.testkit.ts'
import { timelineOf } from './timeline.ts'

const key = '{"message":"Good morning","idempotency_key":"key-1"}'
const reply = '{"response":"Good morning to you","credits_used":1}'
const at = (id: number, sentAt: number, endedAt: number, over: Parameters<typeof exchange>[1] = {}) => ({
  ...exchange(id, { sent: key, came: reply, ...over }),
  sentAt,
  endedAt,
})
const limits = { rows: 8, body: 60 }
const cited = [
  { exchange: 2, as: 'ran again' },
  { exchange: 1, as: 'ran' },
]

test('rows are in the order sent, with role, times from the first, and bodies that repeat named by their exchange', () => {
  const journal = [at(1, 100, 130), at(2, 110, 150), at(3, 200, 210)]
  const { rows, concurrent, rest } = timelineOf(
    finding({ verdict: 'fail', evidence: [2, 1, 3], cited }),
    journal,
    limits,
  )

  expect(rows).toMatchObject([
    { role: 'ran', decisive: false, from: 0, to: 30, sent: key, received: reply },
    { role: 'ran again', decisive: true, from: 10, to: 50, sent: 'the same as 1', received: 'the same as 1' },
  ])
  expect({ concurrent, rest }).toEqual({ concurrent: true, rest: 1 })
})

test('requests one after the other are not concurrent', () => {
  const journal = [at(1, 100, 130), at(2, 130, 150)]
  const found = finding({ verdict: 'fail', evidence: [2, 1], cited })

  expect(timelineOf(found, journal, limits).concurrent).toBe(false)
})

test('of a list without citations only the exchange that shows the failure is a row, beside other exchanges', () => {
  const named = (id: number, name: string) => ({ ...at(id, id, id), name })
  const journal = [named(1, 'first'), named(2, 'turns'), named(3, 'turns')]
  const { rows, rest } = timelineOf(finding({ verdict: 'warn', evidence: [3, 1, 2] }), journal, limits)

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

  expect(timelineOf(finding({ verdict: 'fail', evidence: [1] }), journal, limits).rows[0]?.header).toBe(
    'X-Service-Signature: sha256=ab',
  )
})
