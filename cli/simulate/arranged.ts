/** `--scenario` with a name: a situation that is there from the beginning. */
import { scenarioNames, scenes } from '../../simulator/index.ts'
import type { Casts, ScenarioName, Simulator } from '../../simulator/index.ts'
import { UsageError } from '../usage-error.ts'

/** What a program gets to know of it: who is in it, what to send, and what comes of that. */
export type Arranged = { name: ScenarioName; title: string; shows: string } & Casts[ScenarioName]

export const named = (scenario: string): ScenarioName | undefined =>
  scenarioNames.find((name) => name === scenario)

/** Throws a UsageError where the world refuses what has to happen first. */
export async function arranged(
  { tenant }: Simulator,
  name: ScenarioName,
  controlled: boolean,
): Promise<Arranged> {
  try {
    const { title, shows } = scenes[name]
    const cast = await tenant.arrange(name)
    if (!controlled && cast.steps.some(({ control }) => control === true))
      throw new RangeError('Its story needs the control plane, which is off.')
    return { name, title, shows, ...cast }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`--scenario ${name}: ${error.message}`)
  }
}
