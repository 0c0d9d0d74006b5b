/** A whole run of the suite: everything that was planned is run in order and ends with a verdict. */
import { serverScenarios } from '../scenarios.ts'
import type { Run } from '../../reports/bundle/record.ts'
import type { Target } from '../config/target.ts'
import type { Scenarios } from './plan/plan.ts'
import { sideBySide } from './lanes.ts'
import type { SessionOptions } from './progress.ts'
import { openSession } from './session.ts'

export interface RunOptions extends Omit<SessionOptions, 'scenarios'> {
  /** Default: all that is told of a server. */
  scenarios?: Scenarios
}

/** Throws TargetUnreachable and ConfigurationError; whatever else goes wrong is a finding. */
export async function runSuite(target: Target, options: RunOptions): Promise<Run> {
  const session = openSession(target, { scenarios: serverScenarios, ...options })
  try {
    await session.begin()
    const { scenarios } = session.planned
    for (const scenario of scenarios.filter((one) => !session.sharesTime(one))) await session.tell(scenario)
    await sideBySide(
      scenarios.filter((one) => session.sharesTime(one)),
      target.receiver.scenariosAtOnce,
      (one) => session.tell(one),
    )
  } catch (thrown) {
    await session.end()
    throw thrown
  }
  return session.end()
}
