/** Everything that is looked at in a run bundle, and whether its record, its answers and its verdicts are what follows. */
import { trafficScenario } from '../../suites/traffic/service.ts'
import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { clauseSetProblem } from '../../bundle/clause-set.ts'
import type { Finding, RunRecord } from '../../bundle/record.ts'
import { judgingProblem } from '../../bundle/schema/problem.ts'
import type { ReadChain } from '../../bundle/verify/chain.ts'
import { inspectEvidence, inspectJournal } from '../../bundle/verify/journal.ts'
import * as line from '../../bundle/verify/schema.ts'
import { inspectFiles, inspectManifest } from '../../bundle/verify/manifest.ts'
import type { OpenedBundle } from '../../bundle/verify/opened-bundle.ts'
import { inspectSchema } from '../../bundle/verify/schema.ts'
import { inspectSignature } from '../../bundle/verify/signature.ts'
import { clientScenarios } from '../../suites/clients/index.ts'
import { atLevel, clauseSetOf } from '../../suites/policy/clause-set-file.ts'
import { notRun } from '../../suites/runner/outcome/judge.ts'
import { rejudge } from '../../suites/runner/outcome/rejudge.ts'
import { answersFor, lifecycleOf } from '../../suites/runner/outcome/run-record.ts'
import { toolOf } from '../../suites/runner/plan/opening.ts'
import { notExercised } from '../../suites/scenario/ending.ts'
import { scenariosFor, uncoveredFor } from '../../suites/scenarios.ts'
import type { JudgeBasis } from '../rejudge/read-bundle.ts'
import { version } from '../version.ts'
import { inspectPlan } from './plan.ts'
import { bundleIn, inspectReports } from './reports.ts'

type Line = line.InspectionLine

export interface Asked {
  key: KeyObject | null
  rejudge: boolean
}

/** Null where there is nothing of the kind. */
type Inspection = (bundle: OpenedBundle, asked: Asked) => Line | null

export const inspections = {
  files: inspectFiles,
  run: inspectEnd,
  signature: (bundle, { key }) => inspectSignature(bundle, key),
  manifest: inspectManifest,
  schema: inspectSchema,
  plan: inspectPlan,
  journal: inspectJournal,
  evidence: inspectEvidence,
  record: inspectRecord,
  answers: inspectAnswers,
  reports: inspectReports,
  verdicts: (bundle, { rejudge }) =>
    rejudge ? inspectVerdicts(bundle) : line.notChecked('not recomputed: give --rejudge'),
} as const satisfies Readonly<Record<string, Inspection>>

/** What was not run is no part of what is verified. */
function inspectEnd({ record }: OpenedBundle): Line | null {
  const { length } = record?.findings.filter(({ reason }) => reason === 'interrupted') ?? []
  return length === 0 ? null : line.incomplete(`run interrupted, ${line.countOf(length, 'check')} not run`)
}

const when = (isWrong: boolean, problem: string): readonly string[] => (isWrong ? [problem] : [])

export function inspectRecord({ record, chain, cutOff }: OpenedBundle): Line {
  if (cutOff) return line.incomplete('no record was written')
  if (record === null || chain === null)
    return line.notChecked('not checked: there is no record, or no journal')
  const { run } = record
  const isOurs = record.tool.version === version() && isOfThisSuite(record)
  const planned = new Set<unknown>([...ofNone, ...record.plan.checks.map(({ scenario }) => scenario)])
  const problems = [
    ...when(Date.parse(run.endedAt) < Date.parse(run.startedAt), 'it ended before it began'),
    ...when(
      !['crashed', lifecycleOf(record.findings)].includes(run.lifecycle),
      `it is stated as ${run.lifecycle}, and its findings say otherwise`,
    ),
    ...usage(record, chain),
    ...[...chain.exchanges].flatMap(([id, { scenario, sentAt, endedAt }]) => [
      ...when(
        !planned.has(scenario),
        `exchange ${String(id)} is of ${String(scenario)}, which was not planned`,
      ),
      ...when(
        !(Number(sentAt) >= 0 && Number(endedAt) >= Number(sentAt)),
        `exchange ${String(id)} ended before it was sent`,
      ),
    ]),
    ...order(record),
    ...verdictsWithoutScenario(record),
    ...spared(record),
    ...(isOurs ? catalogue(record) : []),
  ]
  const words = `usage, times and order match ${line.countOf(chain.exchanges.size, 'exchange')} and the plan`
  if (!isOurs && problems.length === 0)
    return line.incomplete(
      `${words}; titles and levels are of version ${record.tool.version}, and this is ${version()}`,
    )
  return line.judged(
    problems,
    `${words}; titles and levels match the catalogue`,
    'run.json does not match plan and journal',
  )
}

/** Never less than the journal shows; what is used only grows from scenario to scenario. */
function usage(
  { used, run, merged }: RunRecord,
  { exchanges, used: usedAfterScenarios }: ReadChain,
): readonly string[] {
  const sent = [...exchanges.values()].filter(({ isSent }) => isSent).length
  const last = [...exchanges.values()].reduce((most, { endedAt }) => Math.max(most, Number(endedAt)), 0)
  // Each shard of a merged run counts from 0.
  const states = merged ? [used] : ([...usedAfterScenarios, used] as readonly RunRecord['used'][])
  const members = ['requests', 'turns', 'credits', 'wallSeconds'] as const
  const shrinks = members.filter((member) =>
    states.some((state, at) => at > 0 && state[member] < (states[at - 1]?.[member] ?? 0)),
  )
  // The usage of an interrupted run is known up to its last finished scenario.
  const short = run.lifecycle !== 'crashed'
  return [
    ...shrinks.map((member) => `used.${member} is less than it was after an earlier scenario`),
    ...when(short && used.requests < sent, `it counts ${used.requests} requests, and ${sent} were sent`),
    ...when(
      short && used.wallSeconds * 1000 < last,
      `it took ${used.wallSeconds} s, and an exchange ended after ${last / 1000} s`,
    ),
  ]
}

/** Of no scenario is what comes before the first one, and what others sent. */
const ofNone = ['preflight', trafficScenario]

function order({ plan, findings, scenarioRuns: scenarios }: RunRecord): readonly string[] {
  const stray = findings.filter(({ check, subject, scenario }, at) => {
    const planned = plan.checks[at]
    return planned?.check !== check || planned.subject !== subject || planned.scenario !== scenario
  })
  const places = new Map(plan.checks.map(({ scenario }, at) => [scenario, at]))
  const ran = scenarios.filter(({ scenario }) => scenario !== trafficScenario)
  const at = ran.map(({ scenario }) => places.get(scenario) ?? -1)
  const inOrder = ran.every(({ scenario, since = -1 }, i) => {
    const before = ran[i - 1]
    return before?.scenario === scenario ? since > (before.since ?? -1) : (at[i] ?? -1) > (at[i - 1] ?? -1)
  })
  return [
    ...stray.slice(0, 1).map(({ check }) => `${check}: is not where it was planned`),
    ...when(!inOrder, 'the scenarios are not in the order of the plan'),
  ]
}

const finishedIn = ({ scenarioRuns }: RunRecord): ReadonlySet<string> =>
  new Set(
    scenarioRuns
      .filter(({ ending }) => !(ending?.is === 'not-exercised' && ending.reason === 'interrupted'))
      .map(({ scenario }) => scenario),
  )

/** A verdict needs a scenario that the journal records to its end. */
function verdictsWithoutScenario(record: RunRecord): readonly string[] {
  const finished = finishedIn(record)
  return record.findings
    .filter(({ scenario, verdict }) => !finished.has(scenario) && !speechless.has(verdict))
    .map(({ check, verdict }) => `${check}: is stated as ${verdict}, and its scenario was not run to its end`)
}

/** What a client was said not to have is the one thing for which a whole scenario may be spared. */
const spared = ({ scenarioRuns: scenarios, target: { client } }: RunRecord): readonly string[] =>
  scenarios
    .filter(({ ending }) => ending?.is === 'not-applicable')
    .filter(({ scenario }) => {
      const planned = Object.hasOwn(clientScenarios, scenario) ? clientScenarios[scenario] : undefined
      const asked = Object.values(planned?.steps ?? {}).map(({ task }) => task.do)
      return client === undefined || asked.every((action) => client.can.includes(action))
    })
    .map(
      ({ scenario }) => `${scenario}: is stated as not applicable, and it asks for nothing that is missing`,
    )

const speechless: ReadonlySet<Finding['verdict']> = new Set(['not-exercised', 'inconclusive'])

const about = ['title', 'area', 'level', 'basis'] as const

function catalogue(record: RunRecord): readonly string[] {
  const scenarios = scenariosFor(record)
  const counted = clauseSetOf(record.contract)
  const { ending } = notExercised('interrupted', '')
  const known = new Map(
    Object.entries(scenarios).flatMap(([id, scenario]) =>
      notRun(id, scenario, ending).map((finding) => [finding.check, atLevel(finding, counted)] as const),
    ),
  )
  const sameUncovered = isDeepStrictEqual(record.uncovered, uncoveredFor(record))
  return [
    ...record.findings.flatMap((finding) =>
      about
        .filter((member) => known.get(finding.check)?.[member] !== finding[member])
        .map((member) => `${finding.check}: has another ${member} in the catalogue`),
    ),
    ...when(!sameUncovered, 'what no scenario covers is stated otherwise'),
  ]
}

export function inspectAnswers({ record, json, cutOff }: OpenedBundle): Line {
  if (cutOff) return line.incomplete('no answers were written')
  const basis = json('judging.json')
  if (record === null || !basis.ok || judgingProblem(basis.value) !== null)
    return line.notChecked('not checked: there is no record, or no policy')
  if (!isOfThisSuite(record))
    return line.incomplete(
      `not checked: version ${record.tool.version} judged, by other checks than this one; verify with that version`,
    )
  const problem = clauseSetProblem(record.contract)
  if (problem !== null) return line.notVerified('the result cannot be recomputed', [problem])
  const { policy } = basis.value as unknown as JudgeBasis
  const again = answersFor(record, scenariosFor(record), policy, record.run.endedAt)
  const { conformance, gate, exitCode, findings } = record
  const quoted = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  const differing = (name: string, one: unknown, other: unknown): readonly string[] =>
    when(!isDeepStrictEqual(one, other), `${name} is stated as ${quoted(one)}, and ${quoted(other)} follows`)
  return line.judged(
    [
      ...differing('conformance', record.conformance, again.conformance),
      ...differing('the gate', record.gate.passed, again.gate.passed),
      ...differing('the exit code', record.exitCode, again.exitCode),
      ...differing('what is stale in the policy', record.gate.stalePolicy, again.gate.stalePolicy),
      ...when(
        !follows(record.gate.because, again.gate.because),
        'the reasons of the gate are not those that follow',
      ),
      ...record.findings
        .filter((finding, at) => !isDeepStrictEqual(finding, again.findings[at]))
        .map(({ check }) => `${check}: waived or counted otherwise than the policy says`),
    ],
    `result recomputed from ${findings.length} findings: same (${conformance}, gate ${gate.passed ? 'passed' : 'failed'}, exit code ${exitCode})`,
    'the result does not follow from the findings',
  )
}

/** The same checks, and the same clauses that count. */
const isOfThisSuite = (record: RunRecord): boolean =>
  record.tool.suite === toolOf(record.tool.version, scenariosFor(record)).suite

/** A warning from before the first scenario may stand before the reasons. */
const follows = (stated: readonly string[], again: readonly string[]): boolean =>
  isDeepStrictEqual(stated, again) || (again.length > 0 && isDeepStrictEqual(stated.slice(1), again))

function inspectVerdicts(bundle: OpenedBundle): Line {
  const { record, cutOff } = bundle
  if (cutOff) return line.incomplete('no verdicts were written')
  if (record === null) return line.notChecked('not judged again: there is no record')
  const read = bundleIn(bundle)
  if (typeof read === 'string') return line.notVerified('the run cannot be judged again', [read])
  const more: Finding[] = []
  const again = rejudge(read.run, scenariosFor(record), read.basis, (finding) => void more.push(finding))
  const asked = new Set(record.plan.leftOut.flatMap(({ by, checks }) => (by === 'selection' ? checks : [])))
  const others = [
    ...again.findings.flatMap((finding, at) => changeOf(record.findings[at], finding)),
    ...more
      .filter(({ check }) => !asked.has(check))
      .map(
        ({ check, verdict }) => `${check}: the journal gives ${verdict}, and the record has no such check`,
      ),
  ]
  const finished = finishedIn(record)
  const begun = new Set(record.scenarioRuns.map(({ scenario }) => scenario))
  const open = record.findings.filter(({ scenario }) => !finished.has(scenario))
  const cut = open.filter(({ scenario }) => begun.has(scenario)).length
  const words = [
    `${line.countOf(record.findings.length - open.length, 'verdict')} recomputed from the journal: same`,
    ...(cut > 0 ? [`${cut} not recomputed (the scenario was not completed)`] : []),
    ...(open.length > cut ? [`${open.length - cut} of scenarios that were not run`] : []),
  ].join('; ')
  if (others.length === 0) return beside(more, words)
  return isOfThisSuite(record) && record.tool.version === version()
    ? line.notVerified('the journal gives other verdicts', others)
    : {
        ...line.incomplete(words.replace(': same', ', by another version than at the time')),
        problems: others,
      }
}

/** What a selection left out and the journal shows to be broken all the same is no part of the answers. */
function beside(more: readonly Finding[], words: string): Line {
  const failed = more.filter(({ verdict }) => verdict === 'fail')
  if (failed.length === 0) return line.holds(words)
  const problems = failed.map(
    ({ check }) => `${check}: the selection left it out, and the journal gives fail`,
  )
  return {
    ...line.incomplete(`${words}; ${line.countOf(failed.length, 'further check')} would fail`),
    problems,
  }
}

function changeOf(before: Finding | undefined, now: Finding): readonly string[] {
  if (before?.verdict !== now.verdict || before.reason !== now.reason)
    return [
      `${now.check}: is stated as ${before?.verdict ?? 'nothing'}, and the journal gives ${now.verdict}`,
    ]
  const other = compared.filter((member) => !isDeepStrictEqual(before[member], now[member]))
  return other.map((member) => `${now.check}: ${member} is stated otherwise than the journal gives it`)
}

/** Members of a finding that describe the target. */
const compared = [
  'evidence',
  'states',
  'detail',
  'expected',
  'got',
  'cited',
  'fingerprint',
  'attempts',
] as const
