/** `touchstone simulate`: listens until it is told to end. */
import { createSimulator, faults, variants } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { readAllowed } from '../../simulator/webhooks/guard/allowed.ts'
import { deviationsOf } from '../deviations.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { sessionHeader } from '../session-header.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import type { SimulateOptions } from './command.ts'
import { controlOf } from './control.ts'
import { greeting, readyLine } from './greeting.ts'

/** Gives the exit code once it was ended. Throws UsageError. */
export async function simulate(options: SimulateOptions, io: Io): Promise<number> {
  const { stopped } = io
  const control = controlOf(options, io)
  if (control.warning) io.err(`${control.warning}\n`)
  const simulator = await listen({ ...(await simulatorOptions(options, io)), ...control.options }, options)
  control.serve(simulator)
  const { url, tenant } = simulator
  const { seed, keys, agents, sessions, olderKeys, readings } = tenant
  const ready = {
    url,
    seed,
    keys,
    agents,
    sessions,
    ...(readings['GAP-OLDER-SERVED'] === 'yes' ? { olderKeys } : {}),
    control: control.on ? `${url}/_sim/v1/tenants/${tenant.id}` : null,
  }
  const manner = { session: sessionHeader(tenant), guarded: options.controlToken !== undefined }
  io.out(options.json ? readyLine(ready) : greeting(ready, manner))
  await ended(stopped)
  await simulator.close()
  return exitCodes.ok
}

async function simulatorOptions(options: SimulateOptions, io: Io): Promise<SimulatorOptions> {
  const known = { faults: Object.keys(faults), variants: Object.keys(variants) }
  const { scenario, log, port, host, seed, clock, allowTarget, legacy = false } = options
  return {
    ...deviationsOf(options, known),
    port,
    host,
    seed,
    clock,
    legacy,
    ...(allowTarget === undefined ? {} : { targets: { allow: allowed(allowTarget) } }),
    ...(scenario === undefined
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

async function listen(wanted: SimulatorOptions, { host, port }: SimulateOptions): Promise<Simulator> {
  try {
    return await createSimulator(wanted)
  } catch (error) {
    const known = advice[codeOf(error)]
    if (known === undefined) throw error
    throw new UsageError(`cannot listen on ${host}, port ${port}: ${known}.`)
  }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
