/** A made-up next set: what it changes, one run judged by two sets at once, a recorded run by another, and forgeries. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { sealFolder } from '../../bundle/seal/manifest.ts'
import { openForVerification } from '../../bundle/verify/opened-bundle.ts'
import { inspectAnswers, inspectRecord } from '../../cli/verify/inspections.ts'
import { reportFiles } from '../../reports/index.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const next = 'test/clause-sets/next.yaml'
const golden = 'test/golden-run'
const repeated = 'auth/credentials/AUTH-NO-ECHO'
const unmarked = 'idempotency-replay/json/IDEM-REPLAY-HEADER'

const root = temporaryFolder()
let both: string
let checked: Awaited<ReturnType<typeof run>>
beforeAll(async () => {
  both = join(root, 'both')
  const only = ['--only', 'auth/credentials,idempotency-replay/json']
  const check = ['check', 'simulator', '--seed', '1', '--quiet', ...only]
  const faults = ['--fault', 'invalid-key-repeated', '--fault', 'replay-unmarked']
  checked = await run([...check, ...faults, '--clause-set', `2026-11,${next}`, '--out', both], { width: 80 })
})

const recordIn = (folder: string): RunRecord =>
  JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunRecord
const verdictsIn = ({ findings }: RunRecord): Readonly<Record<string, string>> =>
  Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]))

describe('what changes from one set to the next', () => {
  test('is listed with the checks that move, in 80 columns', async () => {
    const { code, out, err } = await run(['list', 'clauses', '--diff', '2026-11', next], { width: 80 })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^2026-11 → 2027-03-draft\.1 \(a file that changes 2026-11\)\n/)
    expect(out).toContain('2 added, 1 removed, 1 raised, 2 lowered, 1 reworded\n')
    expect(out).toMatch(/\nadded\n {2}IDEM-KEY-KEPT {2}MUST\n.*24 hours\.\n {4}no check yet\n/)
    expect(out).toContain(`\nraised\n  AUTH-NO-ECHO  SHOULD → MUST\n`)
    expect(out).toContain(`    ${unmarked}\n`)
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test.for<[readonly string[], string]>([
    [['--diff', '2026-11'], '--diff takes two clause sets, and got 1'],
    [['--diff', '2026-11', next, 'run'], '--diff takes two clause sets, and got 3'],
    [['--diff', '2026-11', '2027-03'], 'there is no clause set 2027-03; known are 2026-11'],
    [
      ['--diff', '2026-11', next, '--area', 'auth'],
      "'--diff <set...>' cannot be used with option '--area <area>'",
    ],
    [['--diff', '2026-11', next, '--run', 'nowhere'], 'nowhere'],
    [['--run', golden], '--run needs --diff with two clause sets'],
  ])('wrong usage is an error: %j', async ([words, says]) => {
    const { code, out, err } = await run(['list', 'clauses', ...words])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(says)
  })
})

describe('a run judged by two sets at once', () => {
  test('is decided by the first, and reports what the other makes of the same traffic', () => {
    const { contract, otherSets, otherAnswers, ...record } = recordIn(both)
    expect([checked.code, record.exitCode, contract.revision]).toEqual([1, 1, '2026-11'])
    expect(contract).not.toHaveProperty('definition')
    expect(otherSets).toMatchObject([{ revision: '2027-03-draft.1', definition: { base: '2026-11' } }])
    expect(verdictsIn(recordIn(both))).toMatchObject({ [repeated]: 'warn', [unmarked]: 'fail' })
    expect(otherAnswers).toEqual([
      {
        revision: '2027-03-draft.1',
        conformance: 'nonconformant',
        gate: { passed: false, because: [`1 failure: ${repeated}`] },
        exitCode: 1,
        moves: expect.arrayContaining([
          { check: repeated, level: 'must', verdict: 'fail' },
          { check: unmarked, level: 'should', verdict: 'warn' },
        ]),
      },
    ])
    expect(otherAnswers?.[0]?.moves).toHaveLength(2)
  })

  test('shows it in the terminal, on the page and in the summary of a CI job', () => {
    const [shown, page, summary] = [
      checked.out,
      readFileSync(join(both, 'report.html'), 'utf8'),
      readFileSync(join(both, 'summary.md'), 'utf8'),
    ]
    for (const text of [shown, page, summary]) {
      expect(text).toMatch(/nonconformant under 2027-03-draft\.1/)
      expect(text).toContain(`warn → fail, now a MUST: ${repeated}`)
      expect(text).toContain(`fail → warn, now a SHOULD: ${unmarked}`)
    }
  })

  test.for<[string, RunRecord['otherAnswers'], RegExp]>([
    ['better than it was', undefined, /^what follows under other clause sets is stated as undefined/],
    ['without its moves', [], /^what follows under other clause sets is stated as \[\]/],
  ])('is not verified if the other answer is stated %s', ([, otherAnswers, words]) => {
    const bundle = openForVerification(both)
    const { otherAnswers: _, ...record } = recordIn(both)
    const forged = { ...record, ...(otherAnswers && { otherAnswers }) }
    expect(inspectAnswers({ ...bundle, record: forged }).problems.join('\n')).toMatch(words)
  })
})

describe('a recorded run judged by another set', () => {
  let again: string
  let judged: Awaited<ReturnType<typeof run>>
  beforeAll(async () => {
    again = join(root, 'again')
    judged = await run(['verify', '--rejudge', both, '--clause-set', next, '--out', again])
  })

  test('has the verdicts of that set, says so, and carries the set', async () => {
    const { contract, otherSets, ...record } = recordIn(again)
    expect(judged.code).toBe(1)
    expect(judged.err).toContain(
      `${repeated}: warn → fail, because clause set 2027-03-draft.1 has its clause as a MUST; the judge says now: fail`,
    )
    expect(verdictsIn(recordIn(again))).toMatchObject({ [repeated]: 'fail', [unmarked]: 'warn' })
    expect(record.conformance).toBe('nonconformant')
    expect(contract).toMatchObject({ revision: '2027-03-draft.1', definition: { base: '2026-11' } })
    expect(otherSets).toBeUndefined()
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
