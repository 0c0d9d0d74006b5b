/** Who may use the control plane: everybody on this machine, or whoever has the token. */
import { BlockList, isIP } from 'node:net'
import { controlRoutes } from '../../simulator/control/routes.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { secret } from '../values.ts'
import type { WorldOptions } from './world-options.ts'

export interface Control {
  on: boolean
  options: Pick<SimulatorOptions, 'control' | 'routes'>
  /** Tells the routes which simulator they are about. */
  serve(simulator: Simulator): void
  warning?: string
}

/** Throws a UsageError when options contradict one another. */
export function controlOf(options: WorldOptions & { host: string }, io: Io): Control {
  const off: Control = { on: false, options: { control: false }, serve: () => {} }
  if (!options.control && options.controlToken !== undefined)
    throw new UsageError('--no-control and --control-token contradict one another: leave one away.')
  if (!options.control) return off
  if (options.controlToken !== undefined)
    return guarded(secret('--control-token', options.controlToken, io.env))
  if (isLoopback(options.host)) return { ...off, on: true, options: { control: true } }
  return {
    ...off,
    warning: `${options.host} is not this machine alone, so the control plane is off: give --control-token to have it.`,
  }
}

function guarded(token: string): Control {
  let simulator: Simulator | undefined
  const running = (): Simulator => {
    if (simulator) return simulator
    throw new Error('a control request came before the simulator was there')
  }
  const host = {
    get tenants() {
      return running().tenants
    },
    createTenant: (...wanted: Parameters<Simulator['createTenant']>) => running().createTenant(...wanted),
  }
  const options = { control: false, routes: controlRoutes(host, token) }
  return { on: true, options, serve: (started) => void (simulator = started) }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function isLoopback(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}
