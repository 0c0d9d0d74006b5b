/** A connection to the control routes of a running simulator. */
import {
  ControlError,
  createControlClient,
  type ControlClient,
  type TenantControl,
} from '../../simulator/control-client/index.ts'
import type { Io } from '../io.ts'
import { baseUrlProblem } from '../../suites/wire/route.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf, headerSecret } from '../values.ts'
import type { ControlOptions } from '../options.ts'

export interface SimulatorConnection {
  readonly client: ControlClient
  readonly tenantId: string
  readonly tenant: TenantControl
}

/** The simulator cannot be reached, or is shutting down. */
export class SimulatorUnavailable extends UsageError {}

const defaultUrl = 'http://127.0.0.1:4010'

/** Throws a UsageError for an unreachable simulator, a refused token, an unknown tenant or a refused request. */
export async function withConnection<T>(
  options: ControlOptions,
  env: Io['env'],
  use: (connection: SimulatorConnection) => Promise<T>,
): Promise<T> {
  const { control, controlToken } = options
  const [option, given] =
    control === undefined ? ['TOUCHSTONE_CONTROL_URL', env['TOUCHSTONE_CONTROL_URL']] : ['--control', control]
  const wanted = given || defaultUrl
  // The address of the console is one of the simulator, too.
  const url = wanted.replace(/\/_sim\/?(?:#.*)?$/, '')
  const problem = baseUrlProblem(url, defaultUrl)
  if (problem !== null) throw new UsageError(`${option} ${problem}.`)
  const token =
    controlToken === undefined
      ? env['TOUCHSTONE_CONTROL_TOKEN'] || undefined
      : headerSecret('--control-token', controlToken, env)
  const client = createControlClient({ url, token })
  try {
    const [, own] = url.split('/_sim/v1/tenants/')
    const tenantId = options.tenant ?? (own ? decodeURIComponent(own) : await defaultTenant(client))
    return await use({ client, tenantId, tenant: client.tenant(tenantId) })
  } catch (error) {
    throw await explained(error, client, token)
  }
}

async function defaultTenant(client: ControlClient): Promise<string> {
  const tenants = await client.tenants()
  const found = tenants.find(({ isDefault }) => isDefault)
  if (found) return found.id
  throw new UsageError(
    `the simulator at ${client.url} does not run its default tenant; give --tenant with one of ${tenants.map(({ id }) => id).join(', ')}.`,
  )
}

/** The error as one for the user of a command line, if it is of the simulator or of the way to it. */
async function explained(error: unknown, client: ControlClient, token: string | undefined): Promise<unknown> {
  if (error instanceof ControlError && error.status === 503) return new SimulatorUnavailable(error.message)
  if (error instanceof ControlError) return new UsageError(await refusalText(error, client, token))
  if (!(error instanceof TypeError) || error.message !== 'fetch failed') return error
  const code = codeOf(error.cause) || 'no response'
  return new SimulatorUnavailable(
    `no simulator at ${client.url} (${code}): start one with \`touchstone simulate\`, or give --control URL.`,
  )
}

async function refusalText(
  { status, reason, request }: ControlError,
  client: ControlClient,
  token: string | undefined,
): Promise<string> {
  if (status === 401)
    return token === undefined
      ? `the simulator at ${client.url} requires its control token: give --control-token env:NAME, or set TOUCHSTONE_CONTROL_TOKEN.`
      : `the simulator at ${client.url} refuses this control token: give the one that it was started with.`
  // A simulator without control routes responds as the service does, with a code.
  if (reason === undefined || /^[A-Z_]+$/.test(reason))
    return `${client.url} has no control routes (${request} returned ${status}): give the URL of a simulator that runs without --no-control.`
  if (status !== 404 || !reason.startsWith('There is no tenant')) return reason
  const ids = (await client.tenants()).map(({ id, isDefault }) => (isDefault ? `${id} (default)` : id))
  return `${reason.replace(/:.*/, '')} at ${client.url}; there are: ${ids.join(', ')}.`
}
