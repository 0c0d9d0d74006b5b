/** Access to the control plane: from this machine, or with a token. */
import { tokenProblem } from '../../simulator/control/guard.ts'
import { isLoopbackHost } from '../../simulator/control/loopback.ts'
import type { SimulatorOptions } from '../../simulator/index.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { headerSecret } from '../values.ts'
import type { SimulatorTenantOptions } from './tenant-options.ts'

export interface ControlPlaneAccess {
  on: boolean
  options: Pick<SimulatorOptions, 'control' | 'controlToken'>
  warning?: string
}

/** Throws a UsageError if options contradict each other. */
export function controlAccess(
  options: SimulatorTenantOptions & { host: string },
  io: Io,
): ControlPlaneAccess {
  const off: ControlPlaneAccess = { on: false, options: { control: false } }
  const { controlToken: reference } = options
  if (!options.control && reference !== undefined)
    throw new UsageError('--no-control and --control-token cannot be combined; leave one out.')
  if (!options.control) return off
  if (reference !== undefined) return { on: true, options: { controlToken: tokenOf(reference, io) } }
  if (isLoopbackHost(options.host)) return { on: true, options: { control: true } }
  return {
    ...off,
    warning: `${options.host} can be reached from other machines, so the control plane is off; --control-token switches it on.`,
  }
}

function tokenOf(reference: string, io: Io): string {
  const token = headerSecret('--control-token', reference, io.env)
  const problem = tokenProblem(token)
  if (problem === null) return token
  throw new UsageError(`--control-token ${reference}: ${problem}`)
}
