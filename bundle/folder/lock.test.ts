import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFile, lockFolder, writerIn } from './lock.ts'

let path: string
let lock: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'touchstone-lock-'))
  lock = join(path, lockFile)
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

test('a folder takes one run at a time, and another one after it', () => {
  const release = lockFolder(path)
  expect(() => lockFolder(join(path, '.'))).toThrow(
    /another run is writing there \(process \d+\); wait for it/,
  )
  expect(writerIn(path)).toBe(process.pid)
  release()
  expect([existsSync(lock), writerIn(path)]).toEqual([false, null])
  lockFolder(path)()
})

test('the lock of a process that is gone is taken over, also where its id is now ours', () => {
  for (const pid of [spawnSync(process.execPath, ['-e', '']).pid, process.pid]) {
    writeFileSync(lock, `${pid}\n`)
    const release = lockFolder(path)
    expect(readFileSync(lock, 'utf8')).toBe(`${process.pid}\n`)
    release()
  }
})

test.for([
  ['of a process that is there', (): string => `${process.ppid}\n`, /process \d+\)/],
  ['that does not say whose it is', (): string => '', /process unknown\).* remove .*run\.lock/],
  ['that somebody wrote into', (): string => 'mine', /process unknown\)/],
] as const)('a lock %s is left alone, and says what to do', ([, content, words]) => {
  writeFileSync(lock, content())
  expect(() => lockFolder(path)).toThrow(words)
  expect(readFileSync(lock, 'utf8')).toBe(content())
})
