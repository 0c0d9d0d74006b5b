/** Opens the simulator that a command line asks for. */
import { createSimulator, faultIds, variantIds } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { readAllowed } from '../../simulator/webhooks/guard/allowed.ts'
import { deviationsOf } from '../deviations.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import { arranged, named } from './arranged.ts'
import { controlOf } from './control.ts'
import type { Ready } from './greeting.ts'
import type { WorldOptions } from './world-options.ts'

/** Where it listens. */
export interface Place {
  host: string
  port: number
}

export interface Opened {
  simulator: Simulator
  ready: Ready
}

/** Throws a UsageError when something of the options cannot be had. */
export async function open(options: WorldOptions, place: Place, io: Io): Promise<Opened> {
  const control = controlOf({ ...options, host: place.host }, io)
  if (control.warning) io.err(`${control.warning}\n`)
  const { host, port } = place
  const wanted = { ...(await simulatorOptions(options, io)), host, port, ...control.options }
  const simulator = await listen(wanted, place)
  const ready = readyOf(simulator, control.on)
  const name = named(options.scenario ?? '')
  if (name === undefined) return { simulator, ready }
  try {
    return { simulator, ready: { ...ready, scenario: await arranged(simulator, name, control.on) } }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

function readyOf({ url, tenant }: Simulator, controlled: boolean): Ready {
  const { seed, keys, agents, sessions, olderKeys, readings } = tenant
  return {
    url,
    seed,
    keys,
    agents,
    sessions,
    ...(readings['GAP-OLDER-SERVED'] === 'yes' ? { olderKeys } : {}),
    control: controlled ? `${url}/_sim/v1/tenants/${tenant.id}` : null,
  }
}

async function simulatorOptions(options: WorldOptions, io: Io): Promise<SimulatorOptions> {
  const known = { faults: faultIds, variants: variantIds }
  const { scenario, log, seed, clock, allowTarget, legacy = false } = options
  return {
    ...deviationsOf(options, known),
    seed,
    clock,
    legacy,
    ...(allowTarget === undefined ? {} : { targets: { allow: allowed(allowTarget) } }),
    ...(scenario === undefined || named(scenario)
      ? {}
      : { scenarios: (await import('./scenario-file.ts')).scenariosIn(scenario) }),
    ...(log ? { log: (line: string) => io.err(`${line}\n`) } : {}),
  }
}

/** Looked at one by one, so that a wrong one is named. */
function allowed(targets: readonly string[]): readonly string[] {
  for (const target of targets)
    try {
      readAllowed([target])
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new UsageError(`--allow-target ${error.message}`)
    }
  return targets
}

/** What to do about an address that cannot be listened on. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already; give another --port, or --port 0 for any free one',
  EACCES: 'this user may not listen there; give a --port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; give another --host',
  ENOTFOUND: 'there is no such host; give another --host',
}

async function listen(wanted: SimulatorOptions, { host, port }: Place): Promise<Simulator> {
  try {
    return await createSimulator(wanted)
  } catch (error) {
    const known = advice[codeOf(error)]
    if (known === undefined) throw error
    throw new UsageError(`cannot listen on ${host}, port ${port}: ${known}.`)
  }
}
