/** Prints the plan of a run, without sending requests. */
import { serverScenarios } from '../../suites/scenarios.ts'
import { withWays } from '../../suites/runner/states/state-providers.ts'
import { planRun, shardOf } from '../../suites/runner/plan/plan.ts'
import { personAt } from '../check/ask-person.ts'
import { openTarget } from '../check/target.ts'
import type { Io } from '../io.ts'
import { printedJson } from '../lists/print.ts'
import { runCeiling } from './ceiling.ts'
import type { TargetOptions } from '../check/options.ts'
import { lines } from './lines.ts'
import { plannedProviders } from './providers.ts'

export interface PlanOptions extends TargetOptions {
  json?: true
  verbose?: true
}

/** Throws UsageError and ConfigurationError. */
export async function plan(named: string | undefined, options: PlanOptions, io: Io): Promise<void> {
  const place = await openTarget(named, options, io)
  try {
    const permits = { allowExec: options.allowExec, ask: personAt(io) }
    const target = withWays(place.target, permits)
    const whole = planRun(serverScenarios, target, options.only, permits)
    const planned = options.shard === undefined ? whole : shardOf(whole, options.shard, target)
    const checks = plannedProviders(planned, target)
    const ceiling = runCeiling(planned, target)
    io.out(
      options.json
        ? printedJson({ ...planned.plan, checks, ceiling, caps: target.budgets })
        : lines(planned, checks, ceiling, target, { width: io.width, verbose: options.verbose ?? false }),
    )
  } finally {
    await place.close()
  }
}
