/** The runs whose verdicts are recorded: they judge the same subjects at every commit. */
import type { Finding } from '../../reports/bundle/record.ts'
import type { FaultId } from '../../simulator/index.ts'
import { checksOf } from '../../reports/proof/kill-matrix.ts'
import { chatScenarios, serverScenarios, type Run, type Scenarios } from '../../suites/index.ts'
import { operationScenarios } from '../../suites/operations/index.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { webhookScenarios } from '../../suites/webhooks/index.ts'
import { variantGroups } from '../conformance/variant-groups.ts'
import { readMatrix } from '../kill-matrix/file.ts'
import { faultIds } from '../kill-matrix/rows.ts'
import { judgedOther } from '../other-client/start.ts'
import { judgedReceiver } from '../other-receiver/start.ts'
import { startOtherServer } from '../other-server/start.ts'
import { simulatedRun } from '../simulated-run.ts'

/** By scenario: its clauses by verdict, as `inconclusive|pass A B; observed C`. */
export type Verdicts = Readonly<Record<string, string>>
/** By job and seed. A run with variants, or with a further seed, lists what differs from the run without. */
export type Golden = Readonly<Record<string, Verdicts>>

type Findings = readonly Pick<Finding, 'check' | 'verdict'>[]
export type Job = (seed: number) => Promise<Findings>

const findingsOf = ({ record }: Run): Findings => record.findings
const faultsOnce = 80

/** The matrix is what says in which scenarios a fault shows. */
function faultJobs(golden: Golden): readonly (readonly [string, Job])[] {
  const { faults } = readMatrix()
  const listed = Object.keys(golden).flatMap((name) => /^fault (\S+)$/.exec(name)?.[1] ?? [])
  const every = Math.floor(faultIds.length / faultsOnce)
  const ids = listed.length > 0 ? listed : faultIds.filter((_, at) => at % every === 0).slice(0, faultsOnce)
  return ids.map((id) => {
    const shown = checksOf(faults[id]?.kills ?? {}).map((check) => check.slice(0, check.lastIndexOf('/')))
    const scenarios = Object.fromEntries(
      Object.entries(serverScenarios).filter(([scenario]) => shown.includes(scenario)),
    )
    return [
      `fault ${id}`,
      (seed) => simulated({ faults: [id as FaultId], replicas: 2 }, scenarios, seed, 'exhaustive'),
    ]
  })
}

async function simulated(
  options: Parameters<typeof simulatedRun>[0],
  scenarios: Scenarios,
  seed: number,
  profile: 'standard' | 'exhaustive',
): Promise<Findings> {
  const run = { scenarios, seed, runId: 'golden' }
  return findingsOf(
    await simulatedRun({ ...options, legacy: true }, run, (target) => ({ ...target, profile })),
  )
}

async function otherServer(seed: number): Promise<Findings> {
  const server = await startOtherServer()
  const scenarios = { ...chatScenarios, ...webhookScenarios, ...operationScenarios }
  try {
    return findingsOf(await runServerUnredacted(server.target, { seed, scenarios }))
  } finally {
    server.stop()
  }
}

/** The longest first. The second server, client and receiver are programs of another language, on the real clock. */
export function jobs(golden: Golden): ReadonlyMap<string, Job> {
  return new Map<string, Job>([
    ...variantGroups()
      .map((variants): [string, Job] => [
        `variants ${variants.join(' ')}`,
        (seed) => simulated({ variants }, serverScenarios, seed, 'standard'),
      ])
      .toReversed(),
    ['simulator', (seed) => simulated({}, serverScenarios, seed, 'standard')],
    ['other server', otherServer],
    ['other receiver', async (seed) => (await judgedReceiver(undefined, seed)).findings],
    ['other library', async (seed) => (await judgedOther('library', { seed })).findings],
    ['other command line', async (seed) => (await judgedOther('command-line', { seed })).findings],
    ...faultJobs(golden),
  ])
}

/** What each check got in these runs of one job; a race may have more than one verdict. */
export function verdictsOf(runs: readonly Findings[]): ReadonlyMap<string, ReadonlySet<string>> {
  const checks = Map.groupBy(runs.flat(), ({ check }) => check)
  return new Map([...checks].map(([check, found]) => [check, new Set(found.map(({ verdict }) => verdict))]))
}
