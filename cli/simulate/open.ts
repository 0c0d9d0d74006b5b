/** Starts the simulator of a command line, in the situation or from the snapshot that it names. */
import { guardBase, withTargets, readAllowed } from '../../simulator/webhooks/guard/addresses.ts'
import {
  createSimulator,
  faultIds,
  situationNames,
  situations,
  variantIds,
  type PreparedSituations,
  type Simulator,
  type SimulatorOptions,
  type SituationName,
} from '../../simulator/index.ts'
import { tokenProblem, isLoopbackHost } from '../../simulator/control/guard.ts'
import { limitsWith, simulatorLimits, type LimitName, type SimulatorLimits } from '../../simulator/limits.ts'
import { consolePath, consoleRoutes } from '../console/routes.ts'
import type { Io } from '../io.ts'
import { modificationsOf, type SimulatorTenantOptions, vendorFrom } from '../options.ts'
import { alternatives, hint } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf, headerSecret, fileText } from '../values.ts'

/** The situation as `--json` prints it. */
export type StartSituation = {
  name: SituationName
  title: string
  shows: string
} & PreparedSituations[SituationName]

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; give another --port, or --port 0 for any free one',
  EACCES: 'permission denied; give a --port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; give another --host',
  ENOTFOUND: 'host not found; give another --host',
}

type Place = { host: string; port: number; console?: boolean } & Pick<
  SimulatorOptions,
  'journalCredentials' | 'onJournalEnd'
>

export async function openSimulator(
  options: SimulatorTenantOptions & { store?: string; snapshot?: string },
  { host, port, console, journalCredentials, onJournalEnd }: Place,
  io: Io,
) {
  const { situation, replies, store } = options
  const name = situation === undefined ? undefined : situationNamed(situation)
  // A reply rule could change the responses that the situation promises.
  if (name !== undefined && replies !== undefined)
    throw new UsageError('--situation and --replies cannot be combined; leave one out.')
  if (name !== undefined && store !== undefined)
    throw new UsageError(
      `--situation ${name} and --store cannot be combined: a situation starts in a new tenant.`,
    )
  const control = controlAccess(options, host, io)
  const snapshot = options.snapshot === undefined ? undefined : await startSnapshot(options.snapshot)
  const withConsole = control.control !== false && console === true
  let simulator: Simulator
  try {
    const own = { ...(await simulatorOptions(options, io)), ...snapshot?.options }
    const page = withConsole ? { routes: consoleRoutes, home: consolePath } : {}
    const journals = onJournalEnd && { journalCredentials, onJournalEnd }
    simulator = await createSimulator({ ...own, ...journals, store, host, port, ...control, ...page })
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    const known = advice[codeOf(error)]
    if (known === undefined) throw error
    throw new UsageError(`cannot listen on ${host}, port ${port}: ${known}.`)
  }
  const ready: Ready = readyOf(simulator, control.control !== false, withConsole)
  try {
    snapshot?.restore(simulator)
    if (name !== undefined) ready.situation = await startSituation(simulator, name, ready.control !== null)
    return { simulator, ready }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

export type Ready = ReturnType<typeof readyOf> & { situation?: StartSituation }

function readyOf({ url, tenant }: Simulator, controlled: boolean, withConsole: boolean) {
  const { id, seed, vendor, identifiers, keys, agents, sessions, olderKeys, interpretations } = tenant
  return {
    url,
    seed,
    /** The word that replaces `service` in identifiers. */
    vendor,
    identifiers,
    /** By role, as agents and tokens of signed-in users. */
    keys,
    agents,
    sessions,
    /** Keys of the older chat variant by the role of their agent, if it is served. */
    olderKeys: interpretations['GAP-OLDER-SERVED'] === 'yes' ? olderKeys : undefined,
    /** Base URL of the control plane for this tenant; null if it is off. */
    control: controlled ? `${url}/_sim/v1/tenants/${id}` : null,
    console: withConsole ? `${url}${consolePath}` : undefined,
  }
}

async function simulatorOptions(options: SimulatorTenantOptions, io: Io): Promise<SimulatorOptions> {
  const { replies, log, seed, clock, limit, legacy = false } = options
  const print = (line: string): void => io.err(`${line}\n`)
  return {
    ...modificationsOf(options, { faults: faultIds, variants: variantIds }),
    ...vendorFrom(options),
    seed,
    clock,
    legacy,
    targets: targetsOf(options),
    replyRules: replies === undefined ? undefined : (await import('./reply-file.ts')).replyRulesIn(replies),
    limits: limit && limitsOf(limit),
    notice: print,
    log: log ? print : undefined,
  }
}

const isLimit = (name: string): name is LimitName => Object.hasOwn(simulatorLimits, name)

/** The values of `--limit NAME=NUMBER`. Throws a UsageError for an unknown or invalid limit. */
function limitsOf(given: readonly string[]): Partial<SimulatorLimits> {
  const pairs = given.map((text) => {
    const [, name = '', number = ''] = /^([^=]+)=(\d{1,15})$/.exec(text) ?? []
    if (name === '') throw new UsageError(`--limit ${text}: give it as NAME=NUMBER, such as tenants=50.`)
    if (isLimit(name)) return [name, Number(number)] as const
    const known = alternatives(name, Object.keys(simulatorLimits))
    throw new UsageError(`--limit ${text}: unknown limit; ${known}`)
  })
  const chosen: Partial<SimulatorLimits> = Object.fromEntries(pairs)
  tried('--limit: ', () => limitsWith(chosen))
  return chosen
}

function targetsOf({ allowTarget, nameServer }: SimulatorTenantOptions): SimulatorOptions['targets'] {
  if (allowTarget === undefined && nameServer === undefined) return undefined
  for (const target of allowTarget ?? []) tried('--allow-target ', () => readAllowed([target]))
  const zones = nameServer?.map((text) => {
    const [zone = '', address, ...more] = text.split('=')
    if (address === undefined || more.length > 0)
      throw new UsageError(
        `--name-server ${text}: give a zone and an address, such as moving.example=127.0.0.1:5300.`,
      )
    tried('--name-server ', () => withTargets(guardBase.guard, { zones: { [zone]: address } }))
    return [zone, address] as const
  })
  return { allow: allowTarget, zones: zones && Object.fromEntries(zones) }
}

/** Throws a RangeError of the work as a UsageError that begins with the label. */
function tried<T>(label: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`${label}${error.message}`)
  }
}

function controlAccess(
  { control, controlToken: reference }: SimulatorTenantOptions,
  host: string,
  io: Io,
): Pick<SimulatorOptions, 'control' | 'controlToken'> {
  if (!control && reference !== undefined)
    throw new UsageError('--no-control and --control-token cannot be combined; leave one out.')
  if (reference === undefined) {
    if (control && !isLoopbackHost(host))
      io.err(
        `${host} can be reached from other machines, so the control plane is off; --control-token switches it on.\n`,
      )
    return { control: control && isLoopbackHost(host) }
  }
  const token = headerSecret('--control-token', reference, io.env)
  const problem = tokenProblem(token)
  if (problem !== null) throw new UsageError(`--control-token ${reference}: ${problem}`)
  return { controlToken: token }
}

function situationNamed(name: string): SituationName {
  const known = situationNames.find((one) => one === name)
  if (known !== undefined) return known
  throw new UsageError(
    `--situation ${name}: unknown situation${hint(name, situationNames)}; \`touchstone list situations\` lists them.`,
  )
}

async function startSituation(
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

async function startSnapshot(path: string) {
  const { optionsFrom, snapshotIn } = await import('../../simulator/persistence/snapshot.ts')
  const label = `--snapshot ${path}`
  const text = fileText(path, label)
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new UsageError(
      `${label}: that is not JSON; download a snapshot with GET /_sim/v1/tenants/{id}/snapshot.`,
    )
  }
  const snapshot = tried(`${label}: `, () => snapshotIn(content))
  return {
    options: optionsFrom(snapshot),
    restore: ({ tenant }: Simulator) => tried(`${label}: `, () => tenant.restore(snapshot)),
  }
}
