import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { MergedShard } from '../../reports/bundle/record.ts'
import { contents, digit, end, linesOf, release, start, stranger } from '../../reports/run-log/log.testkit.ts'
import { runOf } from '../../reports/testing/run.testkit.ts'
import { UsageError } from '../usage-error.ts'
import { loggedHistory } from './logged-history.ts'

const root = mkdtempSync(join(tmpdir(), 'touchstone-history-'))
afterAll(() => rmSync(root, { recursive: true }))
const path = join(root, 'runs.ndjson')
writeFileSync(
  path,
  linesOf([...contents, ['run-5', start('4.2.0')], ['run-5', end('conformant', digit('5'))]])
    .map((line) => `${line}\n`)
    .join(''),
)

const { record } = runOf([])
const stated = { ...record, target: { ...record.target, name: 'acme', version: '4.2.1' } }
const shard = (number: number): MergedShard => {
  const { used } = record
  return {
    number,
    run: `run-${number}`,
    startedAt: '2026-11-24T09:00:00.000Z',
    manifest: digit(String(number)),
    used,
  }
}
const merged = (...numbers: readonly number[]) => ({
  ...stated,
  merged: { of: 2, shards: numbers.map(shard) },
})
const historyIn = (one: typeof stated, manifest: string) =>
  loggedHistory(path, [release.publicKey], one, manifest)

test('the run that was handed over is found by its manifest, and all others of its version are discarded', () => {
  expect(historyIn(stated, digit('4'))).toMatchObject({
    handedOver: [{ id: 'run-4' }],
    discarded: [{ id: 'run-1' }, { id: 'run-2' }, { id: 'run-3' }],
    heads: [{ entries: 9 }],
  })
})

test('a merged run was handed over with all of its shards', () => {
  expect(historyIn(merged(1, 4), digit('9'))).toMatchObject({
    handedOver: [{ id: 'run-1' }, { id: 'run-4' }],
    discarded: [{ id: 'run-2' }, { id: 'run-3' }],
  })
})

test.for<[string, () => unknown, string]>([
  [
    'a run that is not in it',
    () => historyIn(stated, digit('9')),
    'does not have this run as a run of acme 4.2.1',
  ],
  [
    'a run of another version',
    () => historyIn(stated, digit('5')),
    'does not have this run as a run of acme 4.2.1',
  ],
  ['a shard that is not in it', () => historyIn(merged(1, 2), digit('9')), 'does not have 1 of 2 shards'],
])('a log is refused for %s', ([, read, words]) => {
  expect(read).toThrow(UsageError)
  expect(read).toThrow(words)
})

test('a log of another signer is not verified', () => {
  expect(loggedHistory(path, [stranger.publicKey], stated, digit('4'))).toHaveProperty('problems')
})
