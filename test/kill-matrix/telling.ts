/** What faults turn red in some scenarios. */
import type { FaultId } from '../../simulator/index.ts'
import { ConfigurationError, serverScenarios, type Scenarios } from '../../suites/index.ts'
import { line, simulatedRun } from '../simulated-run.ts'

/** A check that did not stay green. */
export interface Red {
  readonly check: string
  /** Ours to fix: a judge or a scenario threw. It is no kill. */
  readonly broken: boolean
  /** What was said of it, for a person to read. */
  readonly says: string
}

export interface Job {
  /** Told together. */
  readonly faults: readonly FaultId[]
  /** By their ids. */
  readonly scenarios: readonly string[]
  /** Whether these scenarios are about something else than the faults, which then are distinguished where one is red. */
  readonly beside: boolean
}

export function tell({ faults, scenarios, beside }: Job): Promise<readonly Red[]> {
  const told = scenarios.flatMap((id) => (serverScenarios[id] ? [[id, serverScenarios[id]] as const] : []))
  return beside ? trespasses(faults, Object.fromEntries(told)) : redOf(faults, Object.fromEntries(told))
}

/**
 * With all that there is to be seen: the largest profile, two doors and the older variant. Nothing is left to
 * chance, not even the name of the run, so that what turns red can differ only where requests race.
 */
async function redOf(ids: readonly FaultId[], scenarios: Scenarios): Promise<readonly Red[]> {
  const { record } = await simulatedRun(
    { faults: ids, replicas: 2, legacy: true },
    { scenarios, runId: 'kill-matrix' },
    (target) => ({ ...target, profile: 'exhaustive' }),
  )
  return record.findings
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error')
    .map((finding) => ({
      check: finding.check,
      broken: finding.verdict === 'error',
      says: line(finding),
    }))
}

/** What single faults turn red in scenarios that none of the batch is about; empty where only their mixture does. */
async function trespasses(ids: readonly FaultId[], others: Scenarios): Promise<readonly Red[]> {
  const red = await redOf(ids, others).catch((thrown: unknown) => {
    // A mixture that takes not even a plain turn is distinguished.
    if (thrown instanceof ConfigurationError && ids.length > 1) return null
    throw thrown
  })
  if (red?.length === 0) return []
  if (red && ids.length === 1) return red.map((one) => ({ ...one, says: `${ids.join()}: ${one.says}` }))
  const again = Object.entries(others).filter(
    ([scenario]) => red === null || red.some(({ check }) => check.startsWith(`${scenario}/`)),
  )
  const half = Math.ceil(ids.length / 2)
  const found: Red[] = []
  for (const some of [ids.slice(0, half), ids.slice(half)])
    found.push(...(await trespasses(some, Object.fromEntries(again))))
  return found
}
