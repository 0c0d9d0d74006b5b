import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRunLog } from './append.ts'
import { end, linesOf, release, start, stranger } from './log.testkit.ts'
import { readRunLog } from './read.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-append-'))
  file = join(folder, 'runs.ndjson')
})
afterEach(() => rmSync(folder, { recursive: true }))

const { signer, publicKey } = release
const opened = (now: string) => openRunLog(file, { signer, now: () => now, longestWait: 0 })
/** A writer whose clock shows one time after the other, once for each entry. */
const atTimes = (...clock: string[]) =>
  openRunLog(file, { signer, now: () => `2026-11-24T${clock.shift() ?? ''}:00.000Z`, longestWait: 0 })
const times = (): readonly string[] => readRunLog(readFileSync(file), [publicKey]).entries.map(({ at }) => at)

test('a clock that is set back a little delays no run, and the entries stay in order', () => {
  const log = atTimes('09:00', '08:58', '09:01')
  log.append('run-1', start())
  log.append('run-2', start())
  log.append('run-2', end('conformant'))

  expect(times().map((at) => at.slice(11, 16))).toEqual(['09:00', '09:00', '09:01'])
  expect(readRunLog(readFileSync(file), [publicKey]).problems).toEqual([])
})

test('a run does not start behind the log, but it ends there', () => {
  const log = atTimes('09:00', '08:00', '08:00')
  log.append('run-1', start())

  expect(() => log.append('run-2', start())).toThrow(/its last entry is of .*T09:00.* set the clock/)
  log.append('run-1', end('conformant'))
  expect(times().map((at) => at.slice(11, 16))).toEqual(['09:00', '09:00'])
})

test.for<[string, () => void, RegExp]>([
  [
    'is locked',
    () => writeFileSync(`${file}.lock`, ''),
    /another run is writing to it; wait for it; if there is no such run, remove .*\.lock/,
  ],
  [
    'ends with a cut-off entry',
    () => writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9)),
    /its last line .*begin another log/,
  ],
  [
    'is of another key',
    () => writeFileSync(file, `${linesOf([['run-1', start()]], stranger)[0]}\n`),
    /begun with another key/,
  ],
])('a log that %s stays as it is', ([, spoil, words]) => {
  const log = opened('2026-11-24T09:00:00.000Z')
  log.append('run-1', start())
  spoil()
  const before = readFileSync(file, 'utf8')

  expect(() => log.append('run-1', end('conformant'))).toThrow(words)
  expect(() => opened('2026-11-24T09:00:00.000Z')).toThrow(words)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('the end of a run is not added to a log without its start', () => {
  const log = opened('2026-11-24T09:00:00.000Z')
  log.append('run-1', start())
  rmSync(file)

  expect(() => log.append('run-1', end('conformant'))).toThrow('the start of run run-1 is missing')
  expect(existsSync(file)).toBe(false)
})

test('no lock stays behind, and a folder that is missing is made', () => {
  file = join(folder, 'logs', 'runs.ndjson')
  opened('2026-11-24T09:00:00.000Z').append('run-1', start())

  expect([existsSync(file), existsSync(`${file}.lock`)]).toEqual([true, false])
})
