/** `touchstone simulate`: listens until it is told to end. */
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { sessionHeader } from '../session-header.ts'
import type { StoreChoice } from './store.ts'
import type { TenantStateOptions } from './tenant-options.ts'
import { tellDropped } from './dropped.ts'
import { greeting, readyLine } from './greeting.ts'
import { leave } from './leaving.ts'
import { open } from './open.ts'

export interface SimulateOptions extends TenantStateOptions, StoreChoice {
  port: number
  host: string
  json?: true
  /** Seconds. */
  drain: number
}

/** Gives the exit code once it was ended. Throws UsageError. */
export async function simulate(options: SimulateOptions, io: Io): Promise<number> {
  const { stopped } = io
  const { simulator, ready, keptIn, closeStore } = await open(options, options, io)
  const guarded = options.controlToken !== undefined
  const manner = { session: sessionHeader(simulator.names), guarded, keptIn }
  io.out(options.json ? readyLine(ready) : greeting(ready, manner))
  const lastDropped = tellDropped(simulator, io)
  await ended(stopped)
  lastDropped()
  await leave(simulator, options.drain, io)
  await closeStore()
  return exitCodes.ok
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
