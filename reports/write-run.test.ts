import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exchange, finding, runOf } from './testing/run.testkit.ts'
import type { RunEvent } from '../bundle/journal/writer.ts'
import { BundleError } from '../bundle/errors.ts'
import { openFolder, type Folder } from '../bundle/folder/folder.ts'
import { writeRun, writing } from '../bundle/write-run.ts'

let folder: Folder
beforeEach(() => void (folder = openFolder(mkdtempSync(join(tmpdir(), 'touchstone-write-')), [])))
afterEach(() => rmSync(folder.path, { recursive: true, force: true }))

const full = (): never => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })
}
const run = runOf([finding()])
const { plan, findings: _, scenarioRuns: __, ...opening } = run.record
const planned: RunEvent = { is: 'planned', planned: { plan }, opening }
const exchanged: RunEvent = { is: 'exchange', exchange: exchange(1) }
const entry = { id: 'run-1', what: 'state', state: 'chat.paused', by: 'http', about: {} } as const

const keep = (over: Partial<Folder>, stopped = new AbortController().signal) =>
  writeRun(
    { ...folder, ...over },
    { dialect: {}, policy: { knownFailures: [], flaky: [], expectedNotExercised: [] } },
    stopped,
  )

describe('on a full disk', () => {
  test('a plan that cannot be written stops the run before its first request', () => {
    const keeping = keep({ write: full })
    expect(() => keeping.on(planned)).toThrow(BundleError)
    expect(() => keeping.on(planned)).toThrow(
      /the disk is full\): the plan could not be written, so nothing was sent/,
    )
  })

  test('a scenario is not blamed, the run is ended, and nothing follows what was not written', () => {
    const lines: string[] = []
    const add = (line: string): void => void (lines.length < 2 ? lines.push(line) : full())
    const keeping = keep({ grow: () => ({ add, end: () => undefined }) })
    keeping.on(planned)
    keeping.on(exchanged)
    expect(keeping.signal.aborted).toBe(false)
    keeping.on({ ...exchanged, exchange: exchange(2) })
    expect(keeping.signal.aborted).toBe(true)
    keeping.on({ ...exchanged, exchange: exchange(3) })
    expect(lines).toHaveLength(2)
    expect(() => keeping.finish(run)).toThrow(
      /the disk is full\): it could not be written to any more, which ended the run/,
    )
  })

  test('what the run creates and cannot write down ends it, too', () => {
    const keeping = keep({ append: full })
    keeping.on(planned)
    expect(() => keeping.ledger.onCreate(entry)).not.toThrow()
    expect(keeping.signal.aborted).toBe(true)
    expect(() => keeping.finish(run)).toThrow(BundleError)
  })

  test('reports that do not fit beside a whole record are made later', () => {
    expect(() => writing(folder, full)).toThrow(/is stored as an interrupted run/)
    folder.write('run.json', '{}')
    expect(() => writing(folder, full)).toThrow(
      /the record of the run is whole.*`touchstone report .*` make them/,
    )
  })
})

test('a run that is stopped by the user is stopped, and a defect of ours is reported as one', () => {
  const person = new AbortController()
  const keeping = keep({}, person.signal)
  person.abort()
  expect(keeping.signal.aborted).toBe(true)
  expect(() => keeping.finish(run)).toThrow(/the run made 1 exchanges, and reported 0/)
})

test('the run that is given back is the one on disk, sealed with its last line', () => {
  const keeping = keep({})
  keeping.on(planned)
  keeping.on(exchanged)
  const { record, journal } = keeping.finish(run)
  keeping.on({ ...exchanged, exchange: exchange(2) })
  expect(readFileSync(join(folder.path, 'journal.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(3)
  expect(journal).toEqual(run.journal)
  expect(record.journal).toEqual({ lines: 3, head: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
})
