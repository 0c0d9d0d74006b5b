/** Does one job: runs scenarios against a simulator of its own, and keeps of the run what the measurement is about. */
import { faults, variants } from '../../simulator/index.ts'
import type { Fault, Variant } from '../../simulator/modification/modification.ts'
import type { Finding, Profile, Run, Scenarios, Target } from '../../suites/index.ts'
import { exploredOf } from '../../suites/models/sequences.ts'
import { roomIds, scenariosOf } from '../../test/rooms.ts'
import { simulatedRun } from '../../test/simulated-run.ts'
import type { HardFault } from './hard-faults.ts'
import type { Job, Result, Sighting, ScenarioCost } from './jobs.ts'

const scenarios = scenariosOf(roomIds)
const within =
  (profile: Profile) =>
  (target: Target): Target => ({ ...target, profile })

/** Two addresses of one service: without them the scenarios about replicas are not planned. */
const replicas = 2

const isRed = ({ verdict }: Finding): boolean => verdict === 'fail' || verdict === 'warn'

export async function runJob(job: Job): Promise<Result> {
  if (job.is === 'costs') {
    const run = await simulatedRun({ replicas }, { scenarios: scenarios }, within(job.profile))
    return { ...job, scenarios: costsOf(run) }
  }
  if (job.is === 'fault') return { ...job, red: await sightings(job.fault, job.seed) }
  const { variant, seed } = job
  const run = await simulatedRun(variant === null ? {} : { variants: [variant] }, {
    seed,
    scenarios: scenarios,
  })
  // An error of our own is as false an alarm as any.
  const { warns = [] }: Partial<Variant> = variant === null ? {} : variants[variant]
  const isWarned = ({ verdict, subject }: Finding): boolean =>
    verdict === 'warn' && warns.some((clause) => clause === subject)
  const red = run.record.findings.filter(
    (finding) => (isRed(finding) && !isWarned(finding)) || finding.verdict === 'error',
  )
  return {
    ...job,
    red: red.map(({ check, expected, got, detail }) => reported(check, expected ?? detail, got)),
  }
}

const reported = (check: string, expected = '', got = ''): string =>
  `${check}: expected ${expected}, got ${got}`

/** The scenarios in the order in which they were planned, which is that in which they are run. */
function costsOf({ record, journal }: Run): readonly ScenarioCost[] {
  const sent = Map.groupBy(
    journal.filter(({ inbound }) => !inbound),
    ({ scenario }) => scenario,
  )
  const planned = new Set(record.plan.checks.map(({ scenario }) => scenario))
  return [...planned].map((scenario) => ({ scenario, requests: sent.get(scenario)?.length ?? 0 }))
}

/** In the order of the plan. Only the scenarios are run that judge a clause which the fault breaks. */
async function sightings(id: HardFault, seed: number): Promise<readonly Sighting[]> {
  const { breaks }: Fault = faults[id]
  const { record } = await simulatedRun(
    { replicas, faults: [id] },
    { seed, scenarios: scenariosAbout(breaks) },
    within('exhaustive'),
  )
  const red = record.findings.filter((one) => isRed(one) && breaks.some((clause) => clause === one.subject))
  const first = new Map(red.toReversed().map((finding) => [finding.scenario, finding]))
  const planned = new Set(record.plan.checks.map(({ scenario }) => scenario))
  return [...planned].flatMap((scenario) => {
    const finding = first.get(scenario)
    const notes = record.scenarioRuns.find((planned) => planned.scenario === scenario)?.notes ?? {}
    const shrinking = exploredOf(notes)?.failure?.shrinking ?? null
    return finding ? [{ scenario, check: finding.check, shrinking }] : []
  })
}

function scenariosAbout(clauses: readonly string[]): Scenarios {
  const reports = ([, { judge }]: [string, Scenarios[string]]): boolean =>
    clauses.some((clause) => clause in judge)
  return Object.fromEntries(Object.entries(scenarios).filter(reports))
}
