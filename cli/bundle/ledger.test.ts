import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFolder, type Folder } from './folder.ts'
import { mustBeLeft, openLedger, readLedger } from './ledger.ts'
import { personAt } from '../check/ask-person.ts'

let path: string
beforeEach(() => void (path = mkdtempSync(join(tmpdir(), 'touchstone-ledger-'))))
afterEach(() => rmSync(path, { recursive: true, force: true }))

const paused = { id: 'run-1', what: 'state', state: 'chat.paused', by: 'http', about: {} } as const

test('what a killed run left is known, and nothing that was left again', () => {
  const ledger = openLedger(openFolder(path))
  ledger.onCreate(paused)
  ledger.onCreate({ ...paused, id: 'run-2', state: 'server.503' })
  ledger.onGone('run-1')
  expect(readLedger(path)).toMatchObject([{ id: 'run-2', state: 'server.503' }])
})

test('it is on disk before the run goes on, but where what it tells of ends with the process', () => {
  const lasted: unknown[] = []
  const folder = { append: (...[, , lasting]: Parameters<Folder['append']>) => void lasted.push(lasting) }
  openLedger(folder).onCreate(paused)
  openLedger(folder, false).onGone('run-1')
  expect(lasted).toEqual([true, false])
})

test('a folder whose run was cut off is not written over, but for a simulator that is gone with it', () => {
  const folder = openFolder(path)
  openLedger(folder).onCreate(paused)
  folder.release()
  const told = () => mustBeLeft(path, { kind: 'staging' })
  expect(told).toThrow(/may have left chat\.paused; run `touchstone cleanup .* --target FILE` first/)
  expect(() => mustBeLeft(path, { kind: 'simulator' })).not.toThrow()
  openLedger(openFolder(path))
  expect(told).not.toThrow()
})

test('a person is told what to do and what for, and may say that it cannot be done', async () => {
  const asked: string[] = []
  const answers = ['', 'no']
  const question = (text: string) => (asked.push(text), Promise.resolve(answers.shift() ?? ''))
  const ask = personAt({ err: (text) => void asked.push(text), question })
  const wish = {
    state: 'chat.paused',
    is: 'enter',
    text: 'Pause it in the dashboard.',
    timeoutSeconds: 9,
  } as const
  const said = [
    await ask?.(wish, new AbortController().signal),
    await ask?.(wish, new AbortController().signal),
  ]
  expect(said).toEqual([true, false])
  expect(asked.join('')).toContain(
    'Needed for chat.paused\n  Pause it in the dashboard.\n  Press Enter when done',
  )
})

test('where nobody is there, nobody is asked', () => {
  expect(personAt({ err: () => undefined, question: null })).toBeUndefined()
})
