import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { exchange } from '../../reports/testing/run.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'
import { toLine } from '../../bundle/journal/codec.ts'
import { createSpool } from '../../bundle/memory.ts'

test('what is in a spool is read again as it was, in any order, and by a copy', () => {
  const folder = temporaryFolder(onTestFinished)
  const spool = createSpool(folder)
  const given = Array.from({ length: 40 }, (_, at) => exchange(at + 1, { came: 'é'.repeat(at * 5_000) }))
  const light = given.map(spool)
  for (const at of [39, 0, 12, 39, ...given.keys()]) {
    const [one, wanted] = [light[at], given[at]]
    if (!one || !wanted) continue
    expect(toLine(one)).toBe(toLine(wanted))
    expect(toLine({ ...one, request: { ...one.request } })).toBe(toLine(wanted))
  }
  expect(readdirSync(folder)).toEqual([])
})
