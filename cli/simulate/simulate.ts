/** `touchstone simulate`: runs a simulator until a signal stops it. */
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { sessionHeader } from '../session-header.ts'
import type { SimulatorTenantOptions } from './tenant-options.ts'
import { reportDropped } from './report-dropped.ts'
import { greeting, readyLine, type Ready } from './greeting.ts'
import { shutDown } from './shutdown.ts'
import { openSimulator } from './open.ts'
import { UsageError } from '../usage-error.ts'

export interface SimulateOptions extends SimulatorTenantOptions {
  port: number
  host: string
  json?: true
  open?: true
  store?: string
  snapshot?: string
  console: boolean
  /** Seconds. */
  drain: number
}

/** Returns the exit code after the simulator stopped. Throws UsageError. */
export async function simulate(options: SimulateOptions, io: Io): Promise<number> {
  const { stopped } = io
  if (options.open && !options.console)
    throw new UsageError('--open and --no-console cannot be combined; leave one out.')
  const { simulator, ready, keptIn } = await openSimulator(options, options, io)
  const guarded = options.controlToken !== undefined
  const manner = { session: sessionHeader(simulator.tenant), guarded, keptIn }
  io.out(options.json ? readyLine(ready) : greeting(ready, manner))
  if (options.open) await openConsole(ready, io)
  const lastDropped = reportDropped(simulator, io)
  await ended(stopped)
  lastDropped()
  await shutDown(simulator, options.drain, io)
  return exitCodes.ok
}

async function openConsole(ready: Ready, { err }: Io): Promise<void> {
  if (ready.console === undefined)
    return err('--open: without a control plane there is no console; leave --no-control out.\n')
  const { openBrowser } = await import('../console/open-browser.ts')
  if (!(await openBrowser(ready.console))) err(`--open: no browser was found; open ${ready.console}\n`)
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
