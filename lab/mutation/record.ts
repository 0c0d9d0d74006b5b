/** Records the corpus: scenario runs against conforming simulators, variants and faults. */
import {
  faults,
  variants,
  type FaultId,
  type SimulatorOptions,
  type VariantId,
} from '../../simulator/index.ts'
import { judgeScenario, serverScenarios, type Dialect, type Profile } from '../../suites/index.ts'
import { simulatedRun } from '../../test/simulated-run.ts'
import {
  readRuns,
  recordedScenarios,
  judgedFinding,
  writeCorpus,
  type JudgedFinding,
  type RecordedRun,
} from './corpus.ts'

interface RecordedSimulator {
  by: string
  options: SimulatorOptions
  /** Scenarios by their ids; without any, all. */
  only: readonly string[]
  profile: Profile
  /** Clauses that may fail; other failures are not recorded. */
  breaks: readonly string[]
}

const seeds = ['1', '2']
/** Variants per run, because each run has every scenario. */
const together = 4
/** Concurrent runs; they mostly wait. */
const atOnce = 8

/** Replaces what was recorded before. */
export async function record(): Promise<void> {
  const runs: RecordedRun[] = []
  const everything = { only: [], breaks: [] }
  const right = seeds.map((seed): RecordedSimulator => ({
    by: `seed ${seed}`,
    options: { seed },
    profile: 'exhaustive',
    ...everything,
  }))
  const unusual = inBatches(Object.keys(variants) as VariantId[]).map((some): RecordedSimulator => ({
    by: some.join(', '),
    options: { variants: some },
    profile: 'standard',
    ...everything,
  }))
  const faulty = (Object.keys(faults) as FaultId[]).flatMap((id): readonly RecordedSimulator[] => {
    const breaks: readonly string[] = faults[id].breaks
    const only = Object.entries(serverScenarios)
      .filter(([, { judge }]) => breaks.some((clause) => clause in judge))
      .map(([scenario]) => scenario)
    // What rules alone judge has none. The largest profile: some faults show in long scenarios alone.
    return only.length > 0 ? [{ by: id, options: { faults: [id] }, profile: 'exhaustive', only, breaks }] : []
  })
  const waiting = [...right, ...unusual, ...faulty].values()
  const work = async (): Promise<void> => {
    // Retried, because a simulator may respond too late on a busy machine.
    for (const simulator of waiting)
      runs.push(...(await runScenarios(simulator).catch(() => runScenarios(simulator))))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const distinct = [...Map.groupBy(runs, keyOf).values()].flatMap(([first]) => first ?? [])
  writeCorpus(Map.groupBy(distinct, ({ execution }) => execution.scenario))
  console.log(`${distinct.length} distinct scenario runs recorded, of ${runs.length}`)
}

function inBatches(ids: readonly VariantId[]): readonly (readonly VariantId[])[] {
  const batches = Math.ceil(ids.length / together)
  return Array.from({ length: batches }, (_, at) => ids.slice(at * together, (at + 1) * together))
}

async function runScenarios({
  by,
  options,
  only,
  profile,
  breaks,
}: RecordedSimulator): Promise<readonly RecordedRun[]> {
  let dialect: Dialect = {}
  const { record: run, journal } = await simulatedRun(options, { only }, (target) => {
    ;({ dialect } = target)
    return { ...target, profile }
  })
  return run.scenarioRuns.flatMap((scenario) => {
    const exchanges = journal.filter((exchange) => exchange.scenario === scenario.scenario)
    return judged({ by, breaks, dialect, execution: { ...scenario, exchanges } })
  })
}

/** Judges the recorded runs again with the current judges. */
export function judgeAgain(): void {
  const runs = recordedScenarios().flatMap((scenario) => readRuns(scenario).flatMap(judged))
  writeCorpus(Map.groupBy(runs, ({ execution }) => execution.scenario))
}

/** Returns nothing if a judge fails a clause that the simulator fulfils: a false finding must not be recorded. */
function judged({ by, breaks, dialect, execution }: Omit<RecordedRun, 'findings'>): readonly RecordedRun[] {
  const scenario = serverScenarios[execution.scenario]
  if (!scenario) return []
  const findings = judgeScenario(execution.scenario, scenario, execution, dialect)
  const wrong = findings.filter(
    ({ verdict, subject }) => ['fail', 'warn', 'error'].includes(verdict) && !breaks.includes(subject),
  )
  return wrong.length > 0 ? [] : [{ by, breaks, dialect, execution, findings: findings.map(judgedFinding) }]
}

/** Scenarios of one key are alike to the judges, as far as one can see: their ids, texts and numbers differ. */
function keyOf({ execution, findings: said }: RecordedRun): string {
  const statuses = execution.exchanges.map(({ name, response }) => `${name} ${response?.status}`)
  return [execution.scenario, said.map(wordsOf).join('\n'), ...new Set(statuses)].join('\n')
}

const wordsOf = (one: JudgedFinding): string =>
  JSON.stringify(one).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+/g, '#')
