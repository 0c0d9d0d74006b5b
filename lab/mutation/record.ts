/** Records the corpus: every scenario as simulators tell it that are right, unusual, or at fault in a known way. */
import {
  faults,
  variants,
  type FaultId,
  type SimulatorOptions,
  type VariantId,
} from '../../simulator/index.ts'
import {
  judgeScenario,
  serverScenarios,
  type Dialect,
  type Profile,
  type Scenarios,
} from '../../suites/index.ts'
import { simulatedRun } from '../../test/simulated-run.ts'
import { readTold, recordedScenarios, saidOf, writeCorpus, type Said, type Told } from './corpus.ts'

interface Teller {
  by: string
  options: SimulatorOptions
  scenarios: Scenarios
  profile: Profile
  /** Clauses that may turn red: what makes the corpus more than a copy of what the judges happen to say. */
  breaks: readonly string[]
}

const seeds = ['1', '2']
/** Variants at once: each run tells every scenario. */
const together = 4
/** Runs at once: they wait more than they work. */
const atOnce = 8

/** Replaces what was recorded before. */
export async function record(): Promise<void> {
  const told: Told[] = []
  const waiting = tellers().values()
  const work = async (): Promise<void> => {
    // A busy machine may keep a simulator from answering in time.
    for (const teller of waiting) told.push(...(await tell(teller).catch(() => tell(teller))))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const distinct = [...Map.groupBy(told, keyOf).values()].flatMap(([first]) => first ?? [])
  writeCorpus(Map.groupBy(distinct, ({ execution }) => execution.scenario))
  console.log(`${distinct.length} scenarios recorded, of ${told.length} told`)
}

function tellers(): readonly Teller[] {
  const everything = { scenarios: serverScenarios, breaks: [] }
  const right = seeds.map((seed): Teller => ({
    by: `seed ${seed}`,
    options: { seed },
    profile: 'exhaustive',
    ...everything,
  }))
  const unusual = inBatches(Object.keys(variants) as VariantId[]).map((some): Teller => ({
    by: some.join(', '),
    options: { variants: some },
    profile: 'standard',
    ...everything,
  }))
  const faulty = (Object.keys(faults) as FaultId[]).map((id): Teller => {
    const breaks: readonly string[] = faults[id].breaks
    return { by: id, options: { faults: [id] }, profile: 'standard', scenarios: judging(breaks), breaks }
  })
  return [...right, ...unusual, ...faulty]
}

function inBatches(ids: readonly VariantId[]): readonly (readonly VariantId[])[] {
  const batches = Math.ceil(ids.length / together)
  return Array.from({ length: batches }, (_, at) => ids.slice(at * together, (at + 1) * together))
}

const judging = (clauses: readonly string[]): Scenarios =>
  Object.fromEntries(
    Object.entries(serverScenarios).filter(([, { judge }]) => clauses.some((clause) => clause in judge)),
  )

async function tell({ by, options, scenarios, profile, breaks }: Teller): Promise<readonly Told[]> {
  let dialect: Dialect = {}
  const { record: run, journal } = await simulatedRun(options, { scenarios: scenarios }, (target) => {
    ;({ dialect } = target)
    return { ...target, profile }
  })
  return run.scenarioRuns.flatMap((scenario) => {
    const exchanges = journal.filter((exchange) => exchange.scenario === scenario.scenario)
    return judged({ by, breaks, dialect, execution: { ...scenario, exchanges } })
  })
}

/** What was recorded before, as today's judges see it. */
export function judgeAgain(): void {
  const told = recordedScenarios().flatMap((scenario) => readTold(scenario).flatMap(judged))
  writeCorpus(Map.groupBy(told, ({ execution }) => execution.scenario))
}

/** Nothing where a judge blames a simulator for what it does right: that is not to be held on to. */
function judged({ by, breaks, dialect, execution }: Omit<Told, 'said'>): readonly Told[] {
  const scenario = serverScenarios[execution.scenario]
  if (!scenario) return []
  const findings = judgeScenario(execution.scenario, scenario, execution, dialect)
  const wrong = findings.filter(
    ({ verdict, subject }) => ['fail', 'warn', 'error'].includes(verdict) && !breaks.includes(subject),
  )
  return wrong.length > 0 ? [] : [{ by, breaks, dialect, execution, said: findings.map(saidOf) }]
}

/** Scenarios of one key are alike to the judges, as far as one can tell: their ids, texts and numbers differ. */
function keyOf({ execution, said }: Told): string {
  const statuses = execution.exchanges.map(({ name, response }) => `${name} ${response?.status}`)
  return [execution.scenario, said.map(wordsOf).join('\n'), ...new Set(statuses)].join('\n')
}

const wordsOf = (one: Said): string =>
  JSON.stringify(one).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+/g, '#')
