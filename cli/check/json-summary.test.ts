import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { run, type Captured } from '../process.testkit.ts'

interface Summary {
  failures: { check: string; replay: string; script: string }[]
  reports: Record<string, string>
}

let folder: string
let checked: Captured
const only = ['--only', 'idempotency-replay/json', '--fault', 'replay-unmarked']

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-json-'))
  checked = await run(['check', 'simulator', ...only, '--out', join(folder, 'run'), '--json'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('--json', () => {
  it('prints the summary of a check and nothing else to stdout', () => {
    const at = join(folder, 'run')
    const record = JSON.parse(readFileSync(join(at, 'run.json'), 'utf8')) as RunRecord
    const summary = JSON.parse(checked.out) as Summary
    const failed = record.findings.filter(({ verdict }) => verdict === 'fail')

    expect(checked.code).toBe(1)
    expect(checked.err).toContain('To run: ')
    expect(summary).toMatchObject({
      conformance: 'nonconformant',
      gate: 'failed',
      exitCode: 1,
      reason: record.gate.because.join('; '),
      counts: { failed: failed.length, verdicts: { fail: failed.length, error: 0 } },
      failures: failed.map(({ check, subject, fingerprint }) => ({ check, clause: subject, fingerprint })),
    })
    expect(
      summary.failures.every(({ replay }) => replay.startsWith('npx @touchstone-suite/touchstone replay ')),
    ).toBe(true)
    const { folder: place, ...paths } = summary.reports
    expect([place, ...Object.values(paths), ...summary.failures.map(({ script }) => script)]).toSatisfy(
      (files: string[]) => files.every((file) => existsSync(file)),
    )
  })

  it.each([['diff'], ['verify']])('is the same as --format json: %s', async (command) => {
    const at = join(folder, 'run')
    const words = command === 'diff' ? [command, at, at] : [command, at]
    const [short, long] = [await run([...words, '--json']), await run([...words, '--format', 'json'])]

    expect(short).toEqual(long)
    expect(JSON.parse(short.out)).toMatchObject({ schemaVersion: 1 })
  })
})
