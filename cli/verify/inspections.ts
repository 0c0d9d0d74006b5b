/** Everything that is looked at, in this order. */
import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { inspectAnswers, isOfThisSuite } from './answers.ts'
import { inspectEvidence } from '../../reports/bundle/verify/evidence.ts'
import type { OpenedBundle } from '../../reports/bundle/verify/opened-bundle.ts'
import { inspectFiles } from '../../reports/bundle/verify/files.ts'
import { inspectJournal } from '../../reports/bundle/verify/journal.ts'
import {
  notChecked,
  type InspectionLine,
  countOf,
  incomplete,
  judged,
} from '../../reports/bundle/verify/line.ts'
import { inspectManifest } from '../../reports/bundle/verify/manifest.ts'
import { inspectPlan } from './plan.ts'
import { inspectVerdicts } from './rejudged.ts'
import { inspectReports } from './reports.ts'
import { inspectSchema } from '../../reports/bundle/verify/schema.ts'
import { inspectSignature } from '../../reports/bundle/verify/signature.ts'
import { atLevel, clauseSetOf } from '../../suites/policy/clause-set.ts'
import { notExercised } from '../../suites/scenario/ending.ts'
import { notRun } from '../../suites/runner/outcome/judge.ts'
import { lifecycleOf } from '../../suites/runner/outcome/run-record.ts'
import { clientScenarios } from '../../suites/clients/index.ts'
import type { Finding, RunRecord } from '../../reports/bundle/record.ts'
import { scenariosFor, uncoveredFor } from '../../suites/scenarios.ts'
import { version } from '../version.ts'
import type { ReadChain } from '../../reports/bundle/verify/chain.ts'

export function inspectRecord({ record, chain, cutOff }: OpenedBundle): InspectionLine {
  if (cutOff) return incomplete('no record was written')
  if (record === null || chain === null) return notChecked('not checked: there is no record, or no journal')
  const isOurs = record.tool.version === version() && isOfThisSuite(record)
  const problems = [
    ...times(record),
    ...usage(record, chain),
    ...passages(record, chain),
    ...order(record),
    ...verdictsWithoutScenario(record),
    ...spared(record),
    ...(isOurs ? catalogue(record) : []),
  ]
  const words = `usage, times and order match ${countOf(chain.exchanges.size, 'exchange')} and the plan`
  if (!isOurs && problems.length === 0)
    return incomplete(
      `${words}; titles and levels are of version ${record.tool.version}, and this is ${version()}`,
    )
  return judged(
    problems,
    `${words}; titles and levels match the catalogue`,
    'run.json does not match plan and journal',
  )
}

function times({ run, findings }: RunRecord): readonly string[] {
  return [
    ...(Date.parse(run.endedAt) < Date.parse(run.startedAt) ? ['it ended before it began'] : []),
    ...(run.lifecycle === 'crashed' || run.lifecycle === lifecycleOf(findings)
      ? []
      : [`it is stated as ${run.lifecycle}, and its findings say otherwise`]),
  ]
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
    ...(short && used.requests < sent ? [`it counts ${used.requests} requests, and ${sent} were sent`] : []),
    ...(short && used.wallSeconds * 1000 < last
      ? [`it took ${used.wallSeconds} s, and an exchange ended after ${last / 1000} s`]
      : []),
  ]
}

/** Before the first scenario, an exchange is of none. */
const beforeAll = 'preflight'

function passages({ plan }: RunRecord, { exchanges }: ReadChain): readonly string[] {
  const planned = new Set<unknown>([beforeAll, ...plan.checks.map(({ scenario }) => scenario)])
  return [...exchanges].flatMap(([id, { scenario, sentAt, endedAt }]) => [
    ...(planned.has(scenario)
      ? []
      : [`exchange ${String(id)} is of ${String(scenario)}, which was not planned`]),
    ...(Number(sentAt) >= 0 && Number(endedAt) >= Number(sentAt)
      ? []
      : [`exchange ${String(id)} ended before it was sent`]),
  ])
}

function order({ plan, findings, scenarioRuns: scenarios }: RunRecord): readonly string[] {
  const stray = findings.filter(({ check, subject, scenario }, at) => {
    const planned = plan.checks[at]
    return planned?.check !== check || planned.subject !== subject || planned.scenario !== scenario
  })
  const places = new Map(plan.checks.map(({ scenario }, at) => [scenario, at]))
  const at = scenarios.map(({ scenario }) => places.get(scenario) ?? -1)
  return [
    ...stray.slice(0, 1).map(({ check }) => `${check}: is not where it was planned`),
    ...(at.every((place, i) => place > (at[i - 1] ?? -1))
      ? []
      : ['the scenarios are not in the order of the plan']),
  ]
}

/** A verdict needs a scenario that the journal records to its end. */
function verdictsWithoutScenario({ findings, scenarioRuns: scenarios }: RunRecord): readonly string[] {
  const finished = new Set(
    scenarios
      .filter(({ ending }) => !(ending?.is === 'not-exercised' && ending.reason === 'interrupted'))
      .map(({ scenario }) => scenario),
  )
  return findings
    .filter(({ scenario, verdict }) => !finished.has(scenario) && !speechless.has(verdict))
    .map(({ check, verdict }) => `${check}: is stated as ${verdict}, and its scenario was not run to its end`)
}

/** What a client was said not to have is the one thing for which a whole scenario may be spared. */
function spared({ scenarioRuns: scenarios, target: { client } }: RunRecord): readonly string[] {
  return scenarios
    .filter(({ ending }) => ending?.is === 'not-applicable')
    .filter(({ scenario }) => {
      const planned = Object.hasOwn(clientScenarios, scenario) ? clientScenarios[scenario] : undefined
      const asked = Object.values(planned?.steps ?? {}).map(({ task }) => task.do)
      return client === undefined || asked.every((action) => client.can.includes(action))
    })
    .map(
      ({ scenario }) => `${scenario}: is stated as not applicable, and it asks for nothing that is missing`,
    )
}

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
  const uncovered = uncoveredFor(record)
  return [
    ...record.findings.flatMap((finding) =>
      about
        .filter((member) => known.get(finding.check)?.[member] !== finding[member])
        .map((member) => `${finding.check}: has another ${member} in the catalogue`),
    ),
    ...(isDeepStrictEqual(record.uncovered, uncovered)
      ? []
      : ['what no scenario covers is stated otherwise']),
  ]
}

export interface Asked {
  /** Whose signature is expected. */
  key: KeyObject | null
  rejudge: boolean
}

/** Null where there is nothing of the kind. */
type Inspection = (bundle: OpenedBundle, asked: Asked) => InspectionLine | null

export const inspections = {
  files: inspectFiles,
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
    rejudge ? inspectVerdicts(bundle) : notChecked('not recomputed: give --rejudge'),
} as const satisfies Readonly<Record<string, Inspection>>
