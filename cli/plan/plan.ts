/** Prints the plan of a run: no request is made. */
import { serverScenarios } from '../../suites/scenarios.ts'
import { planRun } from '../../suites/runner/plan/plan.ts'
import { personAt } from '../check/person.ts'
import { openTarget } from '../check/target.ts'
import type { Io } from '../io.ts'
import { json } from '../lists/print.ts'
import { ceilingOf } from './ceiling.ts'
import type { TargetOptions } from '../check/options.ts'
import { lines } from './lines.ts'
import { rungsOf } from './providers.ts'

export interface PlanOptions extends TargetOptions {
  json?: true
}

/** Throws UsageError and ConfigurationError. */
export async function plan(named: string | undefined, options: PlanOptions, io: Io): Promise<void> {
  const place = await openTarget(named, options, io)
  try {
    const { target } = place
    const permits = { allowExec: options.allowExec, ask: personAt(io) }
    const planned = planRun(serverScenarios, target, options.only, permits)
    const checks = rungsOf(planned, target)
    const ceiling = ceilingOf(planned.plan, target)
    io.out(
      options.json
        ? json({ ...planned.plan, checks, ceiling, caps: target.budgets })
        : lines(planned, checks, ceiling, target),
    )
  } finally {
    await place.close()
  }
}
