import { expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import { growth, onceByEffect, onceByReceipts, unrest } from './done-once.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'

const done = (id: string) => jsonAnswer({ status: 'completed', data: { id } })
const declared = { execution: { keyHeader: 'Idempotency-Key' } }
const busy = jsonAnswer({ error: 'REQUEST_IN_PROGRESS' }, { status: 409 })

test.for<[string, number, readonly ReturnType<typeof done>[], Judgement['is']]>([
  ['done once', 1, [done('a'), done('a')], 'pass'],
  ['done once, the others busy', 1, [busy, busy, done('a')], 'pass'],
  ['done twice behind one receipt', 2, [done('a'), done('a')], 'fail'],
  ['done twice, and never said so', 2, [busy, busy], 'fail'],
  ['said to be done, and not seen to be', 0, [done('a'), done('a')], 'inconclusive'],
  ['not done, and not said to be', 0, [busy, busy], 'inconclusive'],
])('by its effect a write is %s', ([, grown, sent, is]) => {
  expect(onceByEffect(sent, { notes: { [growth]: grown }, dialect: declared })?.is).toBe(is)
})

test('an effect that grows by itself is inconclusive', () => {
  for (const grown of [0, 1, 2])
    expect(
      onceByEffect([done('a')], { notes: { [growth]: grown, [unrest]: true }, dialect: declared })?.is,
    ).toBe('inconclusive')
})

test('where the target file does not say how a write carries its key, that it was done again proves nothing', () => {
  expect(onceByEffect([done('a')], { notes: { [growth]: 2 }, dialect: {} })?.is).toBe('inconclusive')
  expect(onceByEffect([done('a')], { notes: { [growth]: 1 }, dialect: {} })?.is).toBe('pass')
})

test('without an effect receipts decide, or nothing does', () => {
  expect(onceByEffect([done('a')], { notes: {}, dialect: declared })).toBeNull()
  expect(onceByReceipts([done('a'), done('a')], done('b')).is).toBe('pass')
  expect(onceByReceipts([done('a'), busy, done('a')], done('b')).is).toBe('pass')
  // Two runs with the same result prove nothing, and results may differ by a time alone.
  expect(onceByReceipts([done('a'), done('a')], done('a')).is).toBe('inconclusive')
  expect(onceByReceipts([done('a'), done('c')], done('b')).is).toBe('inconclusive')
  expect(onceByReceipts([done('a'), busy], done('b')).is).toBe('inconclusive')
})
