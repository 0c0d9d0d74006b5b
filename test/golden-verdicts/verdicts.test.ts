/** The simulator, alone and with faults, and the second server, client and receiver, which another language runs. */
import type { FaultId } from '../../simulator/index.ts'
import { checksOf } from '../../reports/proof/kill-matrix.ts'
import { serverScenarios, type Run, type Scenarios } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { readMatrix } from '../kill-matrix/file.ts'
import { faultIds } from '../kill-matrix/machine.ts'
import { judgedOther } from '../other-client/start.ts'
import { judgedReceiver } from '../other-receiver/start.ts'
import { startOtherServer } from '../other-server/start.ts'
import { fed, scenariosOf } from '../rooms.ts'
import { simulatedRun } from '../simulated-run.ts'
import { recorded, testVerdicts, type Findings, type Jobs } from './verdicts.ts'

const findingsOf = ({ record }: Run): Findings => record.findings
const faultsOnce = 80

/** The matrix is what says in which scenarios a fault shows. */
function faultJobs(): Jobs {
  const { faults } = readMatrix()
  const listed = Object.keys(recorded('verdicts')).flatMap((name) => /^fault (\S+)$/.exec(name)?.[1] ?? [])
  const every = Math.floor(faultIds.length / faultsOnce)
  const ids = listed.length > 0 ? listed : faultIds.filter((_, at) => at % every === 0).slice(0, faultsOnce)
  const jobs = ids.map((id) => {
    const shown = checksOf(faults[id]?.kills ?? {}).map((check) => check.slice(0, check.lastIndexOf('/')))
    const scenarios = fed((scenario) => shown.includes(scenario))
    return [
      `fault ${id}`,
      (seed: number) => simulated({ faults: [id as FaultId], replicas: 2 }, scenarios, seed, 'exhaustive'),
    ] as const
  })
  return Object.fromEntries(jobs)
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
  const scenarios = scenariosOf(['chat', 'webhooks', 'operations'])
  try {
    return findingsOf(await runSuite(server.target, { seed, scenarios }))
  } finally {
    server.stop()
  }
}

testVerdicts('verdicts', {
  'other server': otherServer,
  simulator: (seed) => simulated({}, serverScenarios, seed, 'standard'),
  'other receiver': async (seed) => (await judgedReceiver(undefined, seed)).findings,
  'other library': async (seed) => (await judgedOther('library', { seed })).findings,
  'other command line': async (seed) => (await judgedOther('command-line', { seed })).findings,
  ...faultJobs(),
})
