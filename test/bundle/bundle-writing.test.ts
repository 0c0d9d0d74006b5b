/** A run whose folder does not take what it writes ends in words, and what is there is never taken for more. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readBundle } from '../../cli/rejudge/read-bundle.ts'
import { run } from '../../cli/process.testkit.ts'
import { runningOf } from '../../bundle/folder/report-folder.ts'
import { createSimulator } from '../../simulator/index.ts'
import { touchstoneBin } from '../bundled.ts'
import { journalHas } from './journal-grows.ts'
import { start } from './started.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const checking = (only: string): readonly string[] => [
  'check',
  'simulator',
  '--quiet',
  '--seed',
  '1',
  '--only',
  only,
]
const check = checking('auth/*,idempotency-*/*,delivery/test')
const root = temporaryFolder()
let count = 0
const fresh = (): string => join(root, `out-${++count}`)

test.skipIf(process.platform === 'win32')(
  'a disk that is full ends the run with exit code 2, and leaves it as one that was cut off',
  async () => {
    const out = fresh()
    const { code, err } = await start(touchstoneBin, [...check, '--out', out], 96).ended
    expect(err).toMatch(
      /^error: \/.* \(it would be too large\): it could not be written to any more, which ended the run; it is stored as an interrupted run\. Fix that .*\n$/,
    )
    expect(code).toBe(2)
    expect(statSync(join(runningOf(out), 'journal.ndjson')).size).toBe(96 * 1024)
    const { run: left, ends } = readBundle(runningOf(out))
    expect(left.record).toMatchObject({ run: { lifecycle: 'crashed' }, exitCode: 3 })
    expect(ends).toMatch(
      /with line \d+ of its journal, of which line \d+ was begun; the last scenario run is [\w-]+\//,
    )
    expect(existsSync(join(runningOf(out), 'run.lock'))).toBe(false)
    expect(existsSync(out)).toBe(false)
  },
)

test('a folder that is taken away under a run is said to be, and not made again', async () => {
  const out = fresh()
  const ended = run([...check, '--out', out])
  await journalHas(10, out, ended)
  rmSync(runningOf(out), { recursive: true })
  expect(await ended).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /\(there is no such file or folder\): it could not be written to any more/,
    ) as string,
  })
  expect(existsSync(out)).toBe(false)
})

test('a journal that was put in the place of the one of the run is no part of it', async () => {
  const out = fresh()
  const ended = run([...check, '--out', out])
  await journalHas(10, out, ended)
  rmSync(join(runningOf(out), 'journal.ndjson'))
  writeFileSync(join(runningOf(out), 'journal.ndjson'), 'mine\n')
  expect(await ended).toMatchObject({
    code: 2,
    err: expect.stringContaining('is another file now') as string,
  })
  expect(existsSync(out)).toBe(false)
})

test.for(['plan.json', 'journal.ndjson', 'run.lock', 'evidence', 'counterexamples'])(
  'nothing is sent where %s stands in the way, and it stays there',
  async (name) => {
    const out = fresh()
    const isFolder = name.includes('.')
    mkdirSync(isFolder ? join(out, name, 'mine') : out, { recursive: true })
    if (!isFolder) writeFileSync(join(out, name), 'mine')
    const simulator = await createSimulator({})
    const { keys, agents } = simulator.tenant
    const words = [
      'check',
      '--base-url',
      simulator.url,
      '--api-key',
      'env:KEY',
      '--agent',
      agents.plain,
      '--quiet',
    ]
    const { code, err } = await run([...words, '--out', out], { env: { KEY: keys.main } })
    const sent = simulator.tenant.journal.entries().length
    await simulator.close()
    expect([code, sent]).toEqual([2, 0])
    expect(err).toMatch(/^error: \/.*\n$/)
    expect(readdirSync(out)).toContain(name)
  },
)

test.for(['notes.txt', 'evidence/mine.bin', 'counterexamples/mine.md'])(
  'a report to which somebody added %s is not replaced',
  async (added) => {
    const out = fresh()
    const short = [...checking('chat-response/plain-turn'), '--out', out]
    expect((await run(short)).code).toBe(0)
    mkdirSync(dirname(join(out, added)), { recursive: true })
    writeFileSync(join(out, added), 'mine')
    const before = readFileSync(join(out, 'run.json'))
    const { code, err } = await run(short)
    expect([code, err]).toEqual([
      2,
      `error: ${out} contains ${added}, which is not part of a report, so it is not replaced; ` +
        `move that away, or name another folder, such as ${join(out, 'touchstone-report')}.\n`,
    ])
    expect(readFileSync(join(out, 'run.json'))).toEqual(before)
    expect(readdirSync(dirname(out)).filter((name) => name.startsWith(`${basename(out)}.`))).toEqual([])
  },
)
