/** Who may use the control plane: everybody on this machine, or whoever has the token. */
import { tokenProblem } from '../../simulator/control/guard.ts'
import { isLoopback } from '../../simulator/control/loopback.ts'
import type { SimulatorOptions } from '../../simulator/index.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { secret } from '../values.ts'
import type { TenantStateOptions } from './tenant-options.ts'

export interface Control {
  on: boolean
  options: Pick<SimulatorOptions, 'control' | 'controlToken'>
  warning?: string
}

/** Throws a UsageError when options contradict one another. */
export function controlOf(options: TenantStateOptions & { host: string }, io: Io): Control {
  const off: Control = { on: false, options: { control: false } }
  const { controlToken: reference } = options
  if (!options.control && reference !== undefined)
    throw new UsageError('--no-control and --control-token contradict one another: leave one away.')
  if (!options.control) return off
  if (reference !== undefined) return { on: true, options: { controlToken: tokenOf(reference, io) } }
  if (isLoopback(options.host)) return { on: true, options: { control: true } }
  return {
    ...off,
    warning: `${options.host} is not this machine alone, so the control plane is off: give --control-token to have it.`,
  }
}

function tokenOf(reference: string, io: Io): string {
  const token = secret('--control-token', reference, io.env)
  const problem = tokenProblem(token)
  if (problem === null) return token
  throw new UsageError(`--control-token ${reference}: ${problem}`)
}
