/** Runs scenarios against a simulator with faults and returns the checks that fail. */
import type { FaultId } from '../../simulator/index.ts'
import { ConfigurationError, serverScenarios, type Scenarios } from '../../suites/index.ts'
import { line, simulatedRun } from '../simulated-run.ts'

/** A check with verdict `fail`, `warn` or `error`. */
export interface Red {
  readonly check: string
  /** A judge or scenario threw, which is a bug of ours and not a kill. */
  readonly broken: boolean
  /** The finding as text. */
  readonly message: string
}

export interface Job {
  /** Active together. */
  readonly faults: readonly FaultId[]
  /** Ids. */
  readonly scenarios: readonly string[]
  /** The faults should not affect these scenarios; if a check fails, the batch is split to find the fault. */
  readonly unrelated: boolean
}

export function runJob({ faults, scenarios, unrelated }: Job): Promise<readonly Red[]> {
  const chosen = scenarios.flatMap((id) => (serverScenarios[id] ? [[id, serverScenarios[id]] as const] : []))
  return unrelated
    ? unrelatedReds(faults, Object.fromEntries(chosen))
    : redChecks(faults, Object.fromEntries(chosen))
}

/**
 * Uses the largest profile, two replicas and the older variant. Everything is seeded, including the run id, so that
 * results differ only where requests race.
 */
async function redChecks(ids: readonly FaultId[], scenarios: Scenarios): Promise<readonly Red[]> {
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
      message: line(finding),
    }))
}

/** Checks that single faults fail in unrelated scenarios; empty if only their combination does. */
async function unrelatedReds(ids: readonly FaultId[], others: Scenarios): Promise<readonly Red[]> {
  const red = await redChecks(ids, others).catch((thrown: unknown) => {
    // A combination that prevents even a plain turn is split.
    if (thrown instanceof ConfigurationError && ids.length > 1) return null
    throw thrown
  })
  if (red?.length === 0) return []
  if (red && ids.length === 1) return red.map((one) => ({ ...one, message: `${ids.join()}: ${one.message}` }))
  const again = Object.entries(others).filter(
    ([scenario]) => red === null || red.some(({ check }) => check.startsWith(`${scenario}/`)),
  )
  const half = Math.ceil(ids.length / 2)
  const found: Red[] = []
  for (const some of [ids.slice(0, half), ids.slice(half)])
    found.push(...(await unrelatedReds(some, Object.fromEntries(again))))
  return found
}
