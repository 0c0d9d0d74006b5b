/** Starts the simulator of a command line. */
import {
  createSimulator,
  faultIds,
  variantIds,
  type Simulator,
  type SimulatorOptions,
} from '../../simulator/index.ts'
import { limitsWith, simulatorLimits, type LimitName, type SimulatorLimits } from '../../simulator/limits.ts'
import { modificationsOf } from '../modifications.ts'
import type { Io } from '../io.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf, headerSecret } from '../values.ts'
import { vendorFrom } from '../vendor.ts'
import { consolePath, consoleRoutes } from '../console/routes.ts'
import type { Ready } from './greeting.ts'
import { situationNamed, startSituation } from './situation.ts'
import type { SimulatorTenantOptions } from './tenant-options.ts'
import { readAllowed } from '../../simulator/webhooks/guard/allowed.ts'
import { guardBase, withTargets } from '../../simulator/webhooks/guard-rules.ts'
import { tokenProblem } from '../../simulator/control/guard.ts'
import { isLoopbackHost } from '../../simulator/control/loopback.ts'

export interface ListenAddress {
  host: string
  port: number
  /** Serve the console, if there is a control plane. */
  console?: boolean
}

export interface OpenedSimulator {
  simulator: Simulator
  ready: Ready
  /** Where state is stored; null for memory. */
  keptIn: string | null
}

/** Throws a UsageError for options that cannot be satisfied. */
export async function openSimulator(
  options: SimulatorTenantOptions & { store?: string; snapshot?: string },
  place: ListenAddress,
  io: Io,
): Promise<OpenedSimulator> {
  const name = options.situation === undefined ? undefined : situationNamed(options.situation)
  // A reply rule could change the responses that the situation promises.
  if (name !== undefined && options.replies !== undefined)
    throw new UsageError('--situation and --replies cannot be combined; leave one out.')
  if (name !== undefined && options.store !== undefined)
    throw new UsageError(
      `--situation ${name} and --store cannot be combined: a situation starts in a new tenant.`,
    )
  const control = controlAccess({ ...options, host: place.host }, io)
  if (control.warning) io.err(`${control.warning}\n`)
  const { host, port } = place
  const snapshot =
    options.snapshot === undefined
      ? undefined
      : (await import('./snapshot.ts')).startSnapshot(options.snapshot)
  const own = { ...(await simulatorOptions(options, io)), ...snapshot?.options }
  const withConsole = control.on && place.console === true
  const wanted = {
    ...own,
    ...(options.store !== undefined && { store: options.store }),
    host,
    port,
    ...control.options,
    ...(withConsole && { routes: consoleRoutes, home: consolePath }),
  }
  const simulator = await listen(wanted, place)
  const ready = readyOf(simulator, control.on, withConsole)
  const opened = { simulator, ready, keptIn: options.store ?? null }
  try {
    snapshot?.restore(simulator)
    if (name === undefined) return opened
    return { ...opened, ready: { ...ready, situation: await startSituation(simulator, name, control.on) } }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

function readyOf({ url, tenant }: Simulator, controlled: boolean, withConsole: boolean): Ready {
  const { id, seed, vendor, identifiers, keys, agents, sessions, olderKeys, interpretations } = tenant
  return {
    url,
    seed,
    vendor,
    identifiers,
    keys,
    agents,
    sessions,
    ...(interpretations['GAP-OLDER-SERVED'] === 'yes' ? { olderKeys } : {}),
    control: controlled ? `${url}/_sim/v1/tenants/${id}` : null,
    ...(withConsole && { console: `${url}${consolePath}` }),
  }
}

async function simulatorOptions(options: SimulatorTenantOptions, io: Io): Promise<SimulatorOptions> {
  const known = { faults: faultIds, variants: variantIds }
  const { replies, log, seed, clock, limit, legacy = false } = options
  return {
    ...modificationsOf(options, known),
    ...vendorFrom(options),
    seed,
    clock,
    legacy,
    ...targetsOf(options),
    ...(replies === undefined ? {} : { replyRules: (await import('./reply-file.ts')).replyRulesIn(replies) }),
    ...(limit === undefined ? {} : { limits: limitsOf(limit) }),
    notice: (line) => io.err(`${line}\n`),
    ...(log ? { log: (line: string) => io.err(`${line}\n`) } : {}),
  }
}

/** What to do if listening fails, by the code of the error. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; give another --port, or --port 0 for any free one',
  EACCES: 'permission denied; give a --port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; give another --host',
  ENOTFOUND: 'host not found; give another --host',
}

async function listen(wanted: SimulatorOptions, { host, port }: ListenAddress): Promise<Simulator> {
  try {
    return await createSimulator(wanted)
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    const known = advice[codeOf(error)]
    if (known === undefined) throw error
    throw new UsageError(`cannot listen on ${host}, port ${port}: ${known}.`)
  }
}

const limitNames = Object.keys(simulatorLimits)
const isLimit = (name: string): name is LimitName => Object.hasOwn(simulatorLimits, name)

/** The values of `--limit NAME=NUMBER`. Throws a UsageError for an unknown or invalid limit. */
function limitsOf(given: readonly string[]): Partial<SimulatorLimits> {
  const pairs = given.map((text) => {
    const [, name = '', number = ''] = /^([^=]+)=(\d{1,15})$/.exec(text) ?? []
    if (name === '') throw new UsageError(`--limit ${text}: give it as NAME=NUMBER, such as tenants=50.`)
    if (!isLimit(name))
      throw new UsageError(`--limit ${text}: unknown limit; ${alternatives(name, limitNames)}`)
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

/** Throws a UsageError for an invalid value. */
function targetsOf({
  allowTarget,
  nameServer,
}: Pick<SimulatorTenantOptions, 'allowTarget' | 'nameServer'>): Pick<SimulatorOptions, 'targets'> {
  if (allowTarget === undefined && nameServer === undefined) return {}
  for (const target of allowTarget ?? []) tried('--allow-target', () => readAllowed([target]))
  const zones = Object.fromEntries((nameServer ?? []).map(zoneIn))
  return { targets: { ...(allowTarget ? { allow: allowTarget } : {}), ...(nameServer ? { zones } : {}) } }
}

/** Converts a RangeError of `read` into a UsageError that names the option. */
function tried(option: string, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`${option} ${error.message}`)
  }
}

function zoneIn(text: string): [zone: string, address: string] {
  const [zone = '', address, ...more] = text.split('=')
  if (address === undefined || more.length > 0)
    throw new UsageError(
      `--name-server ${text}: give a zone and an address, such as moving.example=127.0.0.1:5300.`,
    )
  tried('--name-server', () => withTargets(guardBase.guard, { zones: { [zone]: address } }))
  return [zone, address]
}

interface ControlPlaneAccess {
  on: boolean
  options: Pick<SimulatorOptions, 'control' | 'controlToken'>
  warning?: string
}

/** Throws a UsageError if options contradict each other. */
function controlAccess(options: SimulatorTenantOptions & { host: string }, io: Io): ControlPlaneAccess {
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
