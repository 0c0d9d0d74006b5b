/** `--limit NAME=NUMBER`: limits for clients of a simulator. */
import { simulatorLimits, limitsWith, type LimitName, type SimulatorLimits } from '../../simulator/limits.ts'
import { hint } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'

const names = Object.keys(simulatorLimits)
const isLimit = (name: string): name is LimitName => Object.hasOwn(simulatorLimits, name)

/** Throws a UsageError for an unknown or invalid limit. */
export function limitsOf(given: readonly string[]): Partial<SimulatorLimits> {
  const pairs = given.map((text) => {
    const [, name = '', number = ''] = /^([^=]+)=(\d{1,15})$/.exec(text) ?? []
    if (name === '') throw new UsageError(`--limit ${text}: give it as NAME=NUMBER, such as tenants=50.`)
    if (!isLimit(name))
      throw new UsageError(
        `--limit ${text}: unknown limit ${name}${hint(name, names)}; known: ${names.join(', ')}.`,
      )
    return [name, Number(number)] as const
  })
  const chosen: Partial<SimulatorLimits> = Object.fromEntries(pairs)
  try {
    limitsWith(chosen)
    return chosen
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`--limit: ${error.message}`)
  }
}
