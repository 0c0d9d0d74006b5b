/** A release that statements allow, beside a log that may have more runs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { keyIdOf, signerOf } from '../../reports/bundle/seal/envelope.ts'
import { digit, end, linesOf, start, type Content } from '../../reports/run-log/log.testkit.ts'
import { release, stated, subjects } from './statements.ts'

const root = mkdtempSync(join(tmpdir(), 'touchstone-gate-log-'))
const at = (name: string): string => join(root, name)
afterAll(() => rmSync(root, { recursive: true }))
beforeAll(() => {
  writeFileSync(at('release.pem'), release.publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(at('statement.dsse.json'), stated())
})

const signer = signerOf(keyIdOf(release.publicKey), release.privateKey)
const passed: readonly Content[] = [
  ['run-1', start()],
  ['run-1', end('conformant', subjects.manifest)],
]
const failed: readonly Content[] = [
  ['run-0', start()],
  ['run-0', end('nonconformant', digit('0'))],
]
const older: readonly Content[] = failed.map(([id, content]) => [
  id,
  content.is === 'start' ? start('4.2.0') : content,
])
const simulated: readonly Content[] = failed.map(([id, content]) => [
  id,
  content.is === 'start' ? { ...content, target: { ...content.target, kind: 'simulator' } } : content,
])
const lines = (...contents: readonly (readonly Content[])[]) =>
  linesOf(contents.flat(), { publicKey: release.publicKey, signer })

const argv = ['gate', '--target', 'acme', '--version', '4.2.1', '--from', root, '--key', at('release.pem')]
const write = (log: readonly string[]): void =>
  writeFileSync(at('runs.ndjson'), log.map((line) => `${line}\n`).join(''))

test.for<[string, readonly string[], number, string]>([
  ['has the run alone', lines(passed), 0, 'PASSED: acme 4.2.1: conformant'],
  ['has a failure before it', lines(failed, passed), 0, 'PASSED'],
  [
    'has a failure after it',
    lines(passed, failed),
    1,
    'FAILED: acme 4.2.1: conformant, but a later run (run-0, started 2026-11-24T09:02:00.000Z) failed, and its statement is missing',
  ],
  ['has a failure of another version after it', lines(passed, older), 0, 'PASSED'],
  ['has a run before it that was cut off', lines(failed.slice(0, 1), passed), 0, 'PASSED'],
  ['has one of another version after it that was cut off', lines(passed, older.slice(0, 1)), 0, 'PASSED'],
  [
    'has a run after it that was cut off',
    lines(passed, failed.slice(0, 1)),
    3,
    'FAILED: acme 4.2.1: conformant, but a later run (run-0, started 2026-11-24T09:02:00.000Z) did not finish: wait for it, or run it again',
  ],
  [
    'has a run after it that left no result',
    lines(passed, failed.slice(0, 1), [['run-0', { is: 'end', exitCode: 70, result: null }]]),
    3,
    'run-0',
  ],
  [
    'has a failure and then a run that was cut off',
    lines(passed, failed, [['run-2', start()]]),
    1,
    'a later run (run-0',
  ],
  ['has a failure of the simulator after it', lines(passed, simulated), 0, 'PASSED'],
  ['does not have the run', lines(failed), 3, 'does not have the run of the newest statement'],
  [
    'was altered',
    lines(failed, passed).slice(2),
    3,
    'is not verified (2 problems; see `touchstone log verify`)',
  ],
])('a log that %s', async ([, log, code, words]) => {
  write(log)

  expect(await run([...argv, '--log', at('runs.ndjson')])).toMatchObject({
    code,
    out: expect.stringContaining(words),
  })
})

test('a published head shows that the failure was cut off the log', async () => {
  write(lines(passed, failed))
  const { out: head } = await run(['log', 'head', at('runs.ndjson'), '--key', at('release.pem')])
  writeFileSync(at('head.json'), head)
  write(lines(passed))
  const shortened = await run([...argv, '--log', at('runs.ndjson'), '--head', at('head.json')])
  const without = await run([...argv, '--head', at('head.json')])

  expect(shortened).toMatchObject({ code: 3, out: expect.stringContaining('is not verified (1 problem') })
  expect(without).toMatchObject({ code: 2, err: expect.stringContaining('give both') })
})

test('a log that has grown since its head was published', async () => {
  write(lines(passed))
  const { out: head } = await run(['log', 'head', at('runs.ndjson')])
  writeFileSync(at('head.json'), head)
  write(lines(passed, older))

  expect(await run([...argv, '--log', at('runs.ndjson'), '--head', at('head.json')])).toMatchObject({
    code: 0,
  })
})
