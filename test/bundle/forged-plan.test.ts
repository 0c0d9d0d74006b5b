/** What verify says of a run without a signature from which a failing check was dropped, with all else made anew. */
import { reportFiles } from '../../reports/index.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleOf } from '../../reports/testing/bundle.testkit.ts'
import { readBundle, type ReadBundle } from '../../cli/rejudge/read-bundle.ts'
import { run } from '../../cli/process.testkit.ts'
import { sealFolder } from '../../bundle/seal/manifest.ts'
import { planDigest } from '../../suites/runner/plan/plan.ts'
import { answersFor } from '../../suites/runner/outcome/run-record.ts'
import type { LeftOut, RunRecord } from '../../bundle/record.ts'
import { serverScenarios } from '../../suites/scenarios.ts'
import { failed } from './alterations.ts'
import { sealedRun, type SealedRun } from './sealed-run.ts'

let sealed: SealedRun
let whole: ReadBundle
beforeAll(async () => {
  sealed = await sealedRun()
  whole = readBundle(sealed.path)
})
afterAll(() => sealed.remove())

type Change = (record: RunRecord) => RunRecord

/** Nothing of the check is left in plan and record; the answers are those that follow then. */
const dropped: Change = (signed) => {
  const { signing: _, ...record } = signed
  const checks = record.plan.checks.filter(({ check }) => check !== failed)
  const plan = { ...record.plan, checks, digest: planDigest(checks.map(({ check }) => check)) }
  return { ...record, plan, findings: record.findings.filter(({ check }) => check !== failed) }
}

const leftOut =
  (by: LeftOut['by']): Change =>
  (record) => {
    const others = record.plan.leftOut.flatMap((one) => (one.by === 'selection' ? [...one.checks] : []))
    const rest = record.plan.leftOut.filter((one) => one.by !== 'selection')
    const more =
      by === 'selection'
        ? [{ by, checks: [...others, failed] }]
        : [
            { by, checks: [failed] },
            { by: 'selection' as const, checks: others },
          ]
    return { ...record, plan: { ...record.plan, leftOut: [...rest, ...more] } }
  }

/** As if exactly the other checks had been asked for. */
const askedForOthers: Change = (record) => ({
  ...record,
  run: { ...record.run, only: record.plan.checks.map(({ check }) => check) },
})

const ofAnotherSuite: Change = (record) => {
  const { checks, leftOut: left } = record.plan
  const suite = planDigest([...checks.map(({ check }) => check), ...left.flatMap((one) => one.checks)])
  return { ...record, tool: { ...record.tool, suite } }
}

let forgeries = 0

/** Plan, journal, record, reports and manifest made anew, chained and consistent. */
function forged(...changes: readonly Change[]): string {
  const record = changes.reduce((one, change) => change(one), dropped(whole.run.record))
  const answers = answersFor(record, serverScenarios, whole.basis.policy, record.run.endedAt)
  const path = join(sealed.root, `forged-${forgeries++}`)
  const bundle = bundleOf({ record: { ...record, ...answers }, journal: whole.run.journal }, whole.basis)
  for (const [file, content] of bundle) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), content)
  }
  sealFolder(path, readBundle(path).run.record, null, reportFiles)
  return path
}

const cases: Readonly<Record<string, readonly [Change[], number, Readonly<Record<string, string>>]>> = {
  'is not mentioned': [
    [],
    1,
    {
      plan: `${failed}: neither planned nor said to be left out`,
      verdicts: `${failed}: the journal gives fail, and the record has no such check`,
    },
  ],
  'is said to be beyond the profile': [
    [leftOut('profile')],
    1,
    {
      plan: `${failed}: is said to be left out by \`profile\`, which is not so`,
      verdicts: `${failed}: the journal gives fail, and the record has no such check`,
    },
  ],
  'is said not to be declared': [
    [leftOut('not-declared')],
    1,
    {
      plan: `${failed}: is said to be left out by \`not-declared\`, which is not so`,
      verdicts: `${failed}: the journal gives fail, and the record has no such check`,
    },
  ],
  'is said not to have been asked for': [
    [leftOut('selection')],
    1,
    {
      plan: `${failed}: is said to be left out by \`selection\`, which is not so`,
      verdicts: `${failed}: the selection left it out, and the journal gives fail`,
    },
  ],
  'was not asked for': [
    [leftOut('selection'), askedForOthers],
    3,
    { verdicts: `${failed}: the selection left it out, and the journal gives fail` },
  ],
  'is of no such suite': [
    [ofAnotherSuite],
    3,
    { verdicts: `${failed}: the journal gives fail, and the record has no such check` },
  ],
}

test.for(Object.entries(cases))(
  'a failing check that %s does not go unnoticed',
  async ([, [changes, code, problems]]) => {
    const verified = await run(['verify', forged(...changes), '--rejudge', '--format', 'json'])
    const { lines } = JSON.parse(verified.out) as { lines: { about: string; problems: string[] }[] }
    const said = lines.filter((line) => line.problems.length > 0)
    expect(Object.fromEntries(said.map(({ about, problems: all }) => [about, all.join('\n')]))).toEqual(
      problems,
    )
    expect(verified.code).toBe(code)
  },
)
