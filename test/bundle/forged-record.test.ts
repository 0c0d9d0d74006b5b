/** What verify says of a record that fits its own answers, manifest and reports, and not what lies beside it. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openForVerification, type OpenedBundle } from '../../bundle/verify/opened-bundle.ts'
import { run } from '../../cli/process.testkit.ts'
import { inspectEvidence } from '../../bundle/verify/journal.ts'
import { inspectRecord } from '../../cli/verify/inspections.ts'
import { inspectReports } from '../../cli/verify/reports.ts'
import type { Finding, RunRecord, ScenarioRun } from '../../bundle/record.ts'
import { failed, passed } from './alterations.ts'
import { sealedRun, type SealedRun } from './sealed-run.ts'

let sealed: SealedRun
let bundle: OpenedBundle
let record: RunRecord
beforeAll(async () => {
  sealed = await sealedRun()
  bundle = openForVerification(sealed.path)
  if (bundle.record === null) throw new Error('the run has no record')
  record = bundle.record
})
afterAll(() => sealed.remove())

const looks = { record: inspectRecord, evidence: inspectEvidence }
const foundIn = (about: keyof typeof looks, altered: OpenedBundle): string =>
  looks[about](altered).problems.join('\n')

const first =
  (change: (finding: Finding) => Finding) =>
  (run: RunRecord): RunRecord => ({
    ...run,
    findings: run.findings.map((finding, at) => (at === 0 ? change(finding) : finding)),
  })
const otherThan = ({ scenario }: Finding, { findings }: RunRecord): string =>
  findings.find((other) => other.scenario !== scenario)?.scenario ?? ''
const cutOff = { is: 'not-exercised', reason: 'interrupted', because: 'it was stopped' } as const
const planned = failed.slice(0, failed.lastIndexOf('/'))
const withScenarios = (run: RunRecord, scenarios: readonly ScenarioRun[]): RunRecord => ({
  ...run,
  scenarioRuns: scenarios,
})

const forged: Readonly<Record<string, readonly [(run: RunRecord) => RunRecord, RegExp]>> = {
  'ended before it began': [
    (run) => ({ ...run, run: { ...run.run, endedAt: '2020-01-01T00:00:00Z' } }),
    /^it ended before it began$/,
  ],
  'was interrupted': [
    (run) => ({ ...run, run: { ...run.run, lifecycle: 'interrupted' } }),
    /^it is stated as interrupted/,
  ],
  'made fewer requests': [
    (run) => ({ ...run, used: { ...run.used, requests: 1 } }),
    /^used\.requests is less .+\nit counts 1 requests, and \d+ were sent$/,
  ],
  'cost nothing': [(run) => ({ ...run, used: { ...run.used, credits: 0 } }), /^used\.credits is less/],
  'took no time': [
    (run) => ({ ...run, used: { ...run.used, wallSeconds: 0 } }),
    /\nit took 0 s, and an exchange/,
  ],
  'has a title of its own': [
    first((one) => ({ ...one, title: 'All is well' })),
    /has another title in the catalogue$/,
  ],
  'asks for less': [first((one) => ({ ...one, level: 'should' })), /has another level in the catalogue$/],
  'stands in another area': [
    first((one) => ({ ...one, area: 'credits' })),
    /has another area in the catalogue$/,
  ],
  'is of another scenario': [
    (run) => first((one) => ({ ...one, scenario: otherThan(one, run) }))(run),
    /is not where it was planned$/,
  ],
  'has its findings in another order': [
    (run) => ({ ...run, findings: run.findings.toReversed() }),
    /is not where it was planned$/,
  ],
  'has its scenarios in another order': [
    (run) => withScenarios(run, run.scenarioRuns.toReversed()),
    /^the scenarios are not in the order of the plan$/,
  ],
  'covers everything': [
    (run) => ({ ...run, uncovered: [] }),
    /^what no scenario covers is stated otherwise$/,
  ],
  'passes with a scenario that nobody ran': [
    (run) =>
      withScenarios(
        passed(run),
        run.scenarioRuns.filter(({ scenario }) => scenario !== planned),
      ),
    new RegExp(`${failed}: is stated as pass, and its scenario was not run to its end`),
  ],
  'passes with a scenario that was cut off': [
    (run) =>
      withScenarios(
        passed(run),
        run.scenarioRuns.map((one) => (one.scenario === planned ? { ...one, ending: cutOff } : one)),
      ),
    new RegExp(`${failed}: is stated as pass, and its scenario was not run to its end`),
  ],
}

test('the run as it was fits', () => {
  expect([foundIn('record', bundle), foundIn('evidence', bundle)]).toEqual(['', ''])
})

test.for(Object.entries(forged))('a record that %s does not fit', ([, [change, words]]) => {
  expect(foundIn('record', { ...bundle, record: change(record) })).toMatch(words)
})

test('a finding does not rest on what another scenario sent', () => {
  const altered = first((one) => ({ ...one, evidence: [1] }))(record)
  expect(foundIn('evidence', { ...bundle, record: altered })).toMatch(/: exchange 1 is of another scenario$/)
})

test('exchanges are of scenarios that were planned, and end after they were sent', () => {
  const { chain } = bundle
  if (chain === null) throw new Error('the run has no journal')
  const one = { scenario: 'no/such', sentAt: 2, endedAt: 1, isSent: false }
  const altered = { ...chain, exchanges: new Map([...chain.exchanges, [9999, one] as const]) }
  expect(foundIn('record', { ...bundle, chain: altered })).toBe(
    'exchange 9999 is of no/such, which was not planned\nexchange 9999 ended before it was sent',
  )
})

test('what another version wrote is not all that can be verified', () => {
  const older = { ...bundle, record: { ...record, tool: { ...record.tool, version: '0.0.1' } } }
  expect(inspectRecord(older).outcome).toBe('incomplete')
  expect(inspectReports(older).outcome).toBe('incomplete')
})

test('a run that a cap ended gives the same verdicts again', async () => {
  const out = join(sealed.root, 'capped')
  const only = ['--only', 'refused/webhooks/TGT-PRIVATE', '--max-requests', '20']
  await run(['check', 'simulator', '--seed', '1', ...only, '--quiet', '--out', out])
  const { code, out: reported } = await run(['verify', out, '--rejudge'])
  expect([code, reported]).toEqual([
    0,
    expect.stringContaining('1 verdict recomputed from the journal: same'),
  ])
})
