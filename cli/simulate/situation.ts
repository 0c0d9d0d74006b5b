/** `--situation NAME`: the situation in which the simulator starts. */
import { situationNames, situations } from '../../simulator/index.ts'
import type { PreparedSituations, SituationName, Simulator } from '../../simulator/index.ts'
import { hint } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'

/** The situation as `--json` prints it. */
export type StartSituation = {
  name: SituationName
  title: string
  shows: string
} & PreparedSituations[SituationName]

/** Throws a UsageError for an unknown name. */
export function situationNamed(name: string): SituationName {
  const known = situationNames.find((one) => one === name)
  if (known !== undefined) return known
  throw new UsageError(
    `--situation ${name}: unknown situation${hint(name, situationNames)}; \`touchstone situations\` lists them.`,
  )
}

/** Throws a UsageError if the tenant refuses the setup, or a step needs the control plane and it is off. */
export async function startSituation(
  { tenant }: Simulator,
  name: SituationName,
  hasControl: boolean,
): Promise<StartSituation> {
  try {
    const { title, shows } = situations[name]
    const prepared = await tenant.prepareSituation(name)
    if (!hasControl && prepared.steps.some(({ control }) => control === true))
      throw new RangeError('a step needs the control plane; leave out --no-control.')
    return { name, title, shows, ...prepared }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`--situation ${name}: ${error.message}`)
  }
}
