/** A whole run of the suite: everything that was planned is played in order and ends with a verdict. */
import { chatScenarios } from '../chat/index.ts'
import type { Run } from '../record.ts'
import type { Target } from '../target/target.ts'
import type { Scenarios } from './plan.ts'
import { openSession, type SessionOptions } from './session.ts'

export interface RunOptions extends Omit<SessionOptions, 'scenarios'> {
  /** Default: the chat suite. */
  scenarios?: Scenarios
}

/** Throws TargetUnreachable and ConfigurationError; whatever else goes wrong is a finding. */
export async function runSuite(target: Target, options: RunOptions): Promise<Run> {
  const session = openSession(target, { scenarios: chatScenarios, ...options })
  try {
    await session.begin()
    for (const story of session.planned.stories) await session.tell(story)
  } catch (thrown) {
    await session.end()
    throw thrown
  }
  return session.end()
}
