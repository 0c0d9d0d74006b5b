/** Records the corpus: runs against conforming simulators, variants, faults and broken receivers, scenario by scenario. */
import {
  faults,
  variants,
  type FaultId,
  type SimulatorOptions,
  type VariantId,
} from '../../simulator/index.ts'
import {
  judgeScenario,
  receiverScenarios,
  runReceiver,
  serverScenarios,
  type Dialect,
  type Profile,
  type Run,
  type Scenarios,
} from '../../suites/index.ts'
import { attemptsByScenario } from '../../suites/runner/outcome/attempts.ts'
import { wholeRun } from '../../suites/runner/outcome/rejudge.ts'
import { broken } from '../../test/kill-matrix/broken-receivers.ts'
import { endReceivers, startPatched } from '../../test/kill-matrix/receiver-process.ts'
import { simulatedRun } from '../../test/simulated-run.ts'
import {
  judgedFinding,
  readRuns,
  recordedScenarios,
  writeCorpus,
  type JudgedFinding,
  type RecordedRun,
} from './corpus.ts'

const scenarios: Scenarios = { ...serverScenarios, ...receiverScenarios }

interface Subject {
  by: string
  conforms: boolean
  run: () => Promise<Run & { dialect: Dialect }>
}

/** Variants per run, because each run has every scenario. */
const together = 4
/** Concurrent runs; they mostly wait. */
const atOnce = 8

/** Replaces what was recorded before. */
export async function record(): Promise<void> {
  const right = ['1', '2'].map((seed) => simulated(`seed ${seed}`, { seed }, 'exhaustive'))
  const ids = Object.keys(variants) as VariantId[]
  const unusual = Array.from({ length: Math.ceil(ids.length / together) }, (_, at) => {
    const some = ids.slice(at * together, (at + 1) * together)
    return simulated(some.join(', '), { variants: some }, 'standard')
  })
  const faulty = (Object.keys(faults) as FaultId[]).flatMap((id): readonly Subject[] => {
    const { breaks } = faults[id]
    const only = Object.keys(serverScenarios).filter((scenario) =>
      breaks.some((clause) => clause in (serverScenarios[scenario]?.judge ?? {})),
    )
    // The largest profile: some faults show in long scenarios alone.
    return only.every((scenario) => serverScenarios[scenario]?.rule)
      ? []
      : [simulated(id, { faults: [id], replicas: 2, legacy: true }, 'exhaustive', only)]
  })
  const receivers = Object.entries(broken).map(([name, { patches }]): Subject => ({
    by: name,
    conforms: false,
    run: async () => ({
      ...(await runReceiver(await startPatched(name, ...patches), { seed: 1 })),
      dialect: {},
    }),
  }))
  const distinct = new Map<string, RecordedRun>()
  const waiting = [...right, ...unusual, ...faulty, ...receivers].values()
  const work = async (): Promise<void> => {
    // Retried, because a simulator may respond too late on a busy machine.
    for (const subject of waiting)
      for (const one of await recorded(subject).catch(() => recorded(subject)))
        distinct.set(keyOf(one), distinct.get(keyOf(one)) ?? one)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  endReceivers()
  writeCorpus(Map.groupBy(distinct.values(), ({ execution }) => execution.scenario))
  console.log(`${distinct.size} distinct scenario runs recorded`)
}

/** `only`: scenarios by their ids; without any, all. */
const simulated = (
  by: string,
  options: SimulatorOptions,
  profile: Profile,
  only: readonly string[] = [],
): Subject => ({
  by,
  conforms: options.faults === undefined,
  async run() {
    let dialect: Dialect = {}
    const run = await simulatedRun(options, { only }, (target) => {
      ;({ dialect } = target)
      return { ...target, profile }
    })
    return { ...run, dialect }
  },
})

async function recorded({ by, conforms, run }: Subject): Promise<readonly RecordedRun[]> {
  const {
    record: { scenarioRuns },
    journal,
    dialect,
  } = await run()
  const attempts = attemptsByScenario(scenarioRuns)
  return [...attempts].flatMap(([id, [first]]) => {
    if (!first) return []
    const execution = scenarios[id]?.rule
      ? wholeRun(id, journal, attempts)
      : { ...first.run, exchanges: journal.filter(first.has) }
    return judged({ by, conforms, dialect, execution })
  })
}

/** Judges the recorded runs again with the current judges. */
export function judgeAgain(): void {
  const runs = recordedScenarios().flatMap((scenario) => readRuns(scenario).flatMap(judged))
  writeCorpus(Map.groupBy(runs, ({ execution }) => execution.scenario))
}

/** Nothing if a judge throws, or fails what conforms: such a finding must not be recorded. */
function judged({ by, conforms, dialect, execution }: Omit<RecordedRun, 'findings'>): readonly RecordedRun[] {
  const scenario = scenarios[execution.scenario]
  if (!scenario) return []
  const findings = judgeScenario(execution.scenario, scenario, execution, dialect)
  const wrong = conforms ? ['error', 'fail', 'warn'] : ['error']
  if (findings.some(({ verdict }) => wrong.includes(verdict))) return []
  return [{ by, conforms, dialect, execution, findings: findings.map(judgedFinding) }]
}

/** Scenarios of one key are alike to the judges, as far as one can see: their ids, texts and numbers differ. */
function keyOf({ execution, findings: said }: RecordedRun): string {
  const isRule = scenarios[execution.scenario]?.rule
  const statuses = isRule
    ? []
    : execution.exchanges.map(({ name, response }) => `${name} ${response?.status}`)
  return [execution.scenario, said.map(wordsOf).join('\n'), ...new Set(statuses)].join('\n')
}

const wordsOf = (one: JudgedFinding): string =>
  JSON.stringify(one).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+/g, '#')
