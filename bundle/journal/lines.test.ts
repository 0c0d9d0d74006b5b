/** What is read of a run is in memory, so that a larger one is refused. */
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eachJournalLine, eachLine, mustFitMemory } from './lines.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

function folder(): string {
  const path = temporaryFolder(onTestFinished)
  mkdirSync(join(path, 'evidence'))
  writeFileSync(join(path, 'journal.ndjson'), '')
  writeFileSync(join(path, 'evidence', 'body'), '')
  return path
}

test('lines are found wherever a read ends, and what has no end is none', () => {
  const file = join(folder(), 'journal.ndjson')
  const lengths = [0, 1, (1 << 20) - 2, 1 << 20, 3 << 20, 5]
  for (const length of lengths) appendFileSync(file, `${'x'.repeat(length)}\n`)
  appendFileSync(file, 'torn')
  const found: number[] = []
  const rest = eachLine(file, (line) => void found.push(line.length))

  expect({ found, rest }).toEqual({ found: lengths, rest: 4 })
})

test('a run of the most that is read is read', () => {
  const path = folder()
  truncateSync(join(path, 'journal.ndjson'), 156 << 20)
  truncateSync(join(path, 'evidence', 'body'), 100 << 20)

  expect(() => mustFitMemory(path)).not.toThrow()
})

test.for<[string, number, number, string]>([
  ['a larger journal', 257, 0, 'its journal has 257 MiB, and at most 256 MiB of a run are read into memory'],
  ['larger bodies', 0, 3_000, 'its journal has 3000 MiB'],
])('%s are refused before they are read', ([, journal, body, refused]) => {
  const path = folder()
  truncateSync(join(path, 'journal.ndjson'), journal << 20)
  truncateSync(join(path, 'evidence', 'body'), body * 2 ** 20)

  expect(() => mustFitMemory(path)).toThrow(refused)
})

test.for<[string, string, number, string]>([
  ['a line of any length', 'x'.repeat(1 << 20), 20, 'line 1 has more than 16777216 bytes'],
  ['any number of lines', '\n', 100_001, 'it has more than 100000 lines'],
  ['any number of values', `[${'0,'.repeat(400_000)}0]\n`, 20, 'line 11: the lines up to here take too much'],
])('%s are refused', ([, text, times, refused]) => {
  const path = folder()
  for (let count = 0; count < times; count += 10_000)
    appendFileSync(join(path, 'journal.ndjson'), text.repeat(Math.min(times - count, 10_000)))

  expect(() => eachJournalLine(path, () => undefined)).toThrow(refused)
})
