/** A made-up next set: a recorded run judged by it, and forgeries. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { sealFolder } from '../../bundle/seal/manifest.ts'
import { openForVerification } from '../../bundle/verify/opened-bundle.ts'
import { inspectRecord } from '../../cli/verify/inspections.ts'
import { reportFiles } from '../../reports/index.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const next = 'test/clause-sets/next.yaml'
const repeated = 'auth/credentials/AUTH-NO-ECHO'
const unmarked = 'idempotency-replay/json/IDEM-REPLAY-HEADER'

const root = temporaryFolder()
let first: string
beforeAll(async () => {
  first = join(root, 'first')
  const only = ['--only', 'auth/credentials,idempotency-replay/json']
  const check = ['check', 'simulator', '--seed', '1', '--quiet', ...only]
  const faults = ['--fault', 'invalid-key-repeated', '--fault', 'replay-unmarked']
  await run([...check, ...faults, '--clause-set', '2026-11', '--out', first])
})

const recordIn = (folder: string): RunRecord =>
  JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunRecord
const verdictsIn = ({ findings }: RunRecord): Readonly<Record<string, string>> =>
  Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]))

describe('a recorded run judged by another set', () => {
  let again: string
  let judged: Awaited<ReturnType<typeof run>>
  beforeAll(async () => {
    again = join(root, 'again')
    judged = await run(['verify', '--rejudge', first, '--clause-set', next, '--out', again])
  })

  test('has the verdicts of that set, says so, and carries the set', async () => {
    const { contract, ...record } = recordIn(again)
    expect(judged.code).toBe(1)
    expect(judged.err).toContain(
      `${repeated}: warn → fail, because clause set 2027-03-draft.1 has its clause as a MUST; the judge says now: fail`,
    )
    expect(verdictsIn(recordIn(first))).toMatchObject({ [repeated]: 'warn', [unmarked]: 'fail' })
    expect(verdictsIn(recordIn(again))).toMatchObject({ [repeated]: 'fail', [unmarked]: 'warn' })
    expect(record.conformance).toBe('nonconformant')
    expect(contract).toMatchObject({ revision: '2027-03-draft.1', definition: { base: '2026-11' } })
    expect(readFileSync(join(again, 'report.html'), 'utf8')).toContain(
      'A key that nobody has is refused with 401.',
    )
  })

  const definition = (change: object) => (record: RunRecord) => {
    const { contract } = record
    return {
      ...record,
      contract: { ...contract, definition: { ...contract.definition, ...change } },
    } as RunRecord
  }
  test.for<[string, (record: RunRecord) => RunRecord, string]>([
    [
      'altered under the same name',
      definition({ remove: ['AUTH-NO-ECHO'] }),
      'the clause set 2027-03-draft.1 has another digest',
    ],
    [
      'of another name',
      definition({ name: '2027-03' }),
      'the clause set 2027-03-draft.1 is defined as 2027-03',
    ],
    [
      'of a base that nobody knows',
      definition({ base: '2026-12' }),
      'the clause set 2027-03-draft.1 changes 2026-12, which this version does not have',
    ],
    [
      'left out',
      ({ contract: { revision, digest }, ...record }) => ({ ...record, contract: { revision, digest } }),
      'this version has no clause set 2027-03-draft.1: use',
    ],
  ])('is not verified with a set that is %s', async ([, forge, says]) => {
    const folder = mkdtempSync(join(root, 'forged-'))
    cpSync(again, folder, { recursive: true })
    const forged = forge(recordIn(again))
    writeFileSync(join(folder, 'run.json'), `${JSON.stringify(forged, null, 2)}\n`)
    sealFolder(folder, forged, null, reportFiles)
    const { code, out } = await run(['verify', folder])
    expect(out).toContain(says)
    expect(code).toBe(1)
  })

  test('is not verified with a level that its set does not have', () => {
    const bundle = openForVerification(again)
    const record = recordIn(again)
    const findings = record.findings.map((one) =>
      one.check === repeated ? { ...one, level: 'should' as const } : one,
    )
    const { problems } = inspectRecord({ ...bundle, record: { ...record, findings } })
    expect(problems).toEqual([`${repeated}: has another level in the catalogue`])
  })
})
