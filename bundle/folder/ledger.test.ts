import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFolder, type Folder } from './folder.ts'
import { runningOf } from './report-folder.ts'
import { mustBeLeft, openLedger, readLedger } from './ledger.ts'

let path: string
beforeEach(() => void (path = mkdtempSync(join(tmpdir(), 'touchstone-ledger-'))))
afterEach(() => {
  for (const one of [path, runningOf(path)]) rmSync(one, { recursive: true, force: true })
})

const paused = { id: 'run-1', what: 'state', state: 'chat.paused', by: 'http', about: {} } as const

test('what a killed run left is known, and nothing that was left again', () => {
  const folder = openFolder(path, [])
  const ledger = openLedger(folder)
  ledger.onCreate(paused)
  ledger.onCreate({ ...paused, id: 'run-2', state: 'server.503' })
  ledger.onGone('run-1')
  expect(readLedger(folder.path)).toMatchObject([{ id: 'run-2', state: 'server.503' }])
})

test('it is on disk before the run continues, unless it ends with the process', () => {
  const lasted: unknown[] = []
  const folder = { append: (...[, , lasting]: Parameters<Folder['append']>) => void lasted.push(lasting) }
  openLedger(folder).onCreate(paused)
  openLedger(folder, false).onGone('run-1')
  expect(lasted).toEqual([true, false])
})

test('a folder whose run was cut off is not written over, but for a simulator that is gone with it', () => {
  const folder = openFolder(path, [])
  openLedger(folder).onCreate(paused)
  folder.release()
  const reported = () => mustBeLeft(path)
  expect(reported).toThrow(/may have left chat\.paused; run `touchstone cleanup .* --target FILE` first/)
  writeFileSync(join(folder.path, 'plan.json'), '{"target":{"kind":"simulator"}}')
  expect(reported).not.toThrow()
  rmSync(join(folder.path, 'plan.json'))
  openLedger(openFolder(path, []))
  expect(reported).not.toThrow()
})
