import fs, { readdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test, vi } from 'vitest'
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

test('what a full disk took in part is not read as what is written there next', () => {
  const spool = createSpool(temporaryFolder(onTestFinished))
  const { writeSync } = fs
  const [before, lost, after] = [1, 5_000, 1].map((length, at) =>
    exchange(at + 1, { came: 'é'.repeat(length) }),
  )
  if (!before || !lost || !after) throw new Error('three exchanges')
  const light = spool(before)
  const part = (file: number, bytes: Uint8Array, from: number, _: number, to: number): number => {
    if (from > 0) throw new Error('ENOSPC')
    return writeSync(file, bytes, from, 2_000, to)
  }
  const full = vi.spyOn(fs, 'writeSync').mockImplementation(part as typeof writeSync)
  syncBuiltinESMExports()
  expect(spool(lost)).toBe(lost)
  full.mockRestore()
  syncBuiltinESMExports()
  expect(toLine(light)).toBe(toLine(before))
  expect(toLine(spool(after))).toBe(toLine(after))
})
