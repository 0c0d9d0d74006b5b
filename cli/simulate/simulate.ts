/** `touchstone simulate`: runs a simulator until a signal stops it. */
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { sessionHeader } from '../session-header.ts'
import type { StoreChoice } from './store.ts'
import type { SimulatorTenantOptions } from './tenant-options.ts'
import { reportDropped } from './report-dropped.ts'
import { greeting, readyLine } from './greeting.ts'
import { shutDown } from './shutdown.ts'
import { openSimulator } from './open.ts'

export interface SimulateOptions extends SimulatorTenantOptions, StoreChoice {
  port: number
  host: string
  json?: true
  /** Seconds. */
  drain: number
}

/** Returns the exit code after the simulator stopped. Throws UsageError. */
export async function simulate(options: SimulateOptions, io: Io): Promise<number> {
  const { stopped } = io
  const { simulator, ready, keptIn, closeStore } = await openSimulator(options, options, io)
  const guarded = options.controlToken !== undefined
  const manner = { session: sessionHeader(simulator.names), guarded, keptIn }
  io.out(options.json ? readyLine(ready) : greeting(ready, manner))
  const lastDropped = reportDropped(simulator, io)
  await ended(stopped)
  lastDropped()
  await shutDown(simulator, options.drain, io)
  await closeStore()
  return exitCodes.ok
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
