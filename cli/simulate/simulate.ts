/** `touchstone simulate`: runs a simulator until a signal stops it. */
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { greeting, sessionHeader } from './greeting.ts'
import type { SimulateOptions } from '../commands/options.ts'
import { openSimulator } from './open.ts'
import { UsageError } from '../usage-error.ts'
import { aborted } from '../values.ts'
import { counted } from '../../reports/document/blocks.ts'
import { droppedOf, type Simulator } from '../../simulator/index.ts'
import { everyRealTime } from '../../simulator/clock/machine-time.ts'

export async function simulate(options: SimulateOptions, io: Io): Promise<number> {
  const { stopped } = io
  if (options.open && !options.console)
    throw new UsageError('--open and --no-console cannot be combined; leave one out.')
  const { simulator, ready } = await openSimulator(options, options, io)
  const guarded = options.controlToken !== undefined
  const manner = { session: sessionHeader(simulator.tenant), guarded, keptIn: options.store ?? null }
  io.out(options.json ? `${JSON.stringify(ready)}\n` : greeting(ready, manner))
  if (options.open && ready.console === undefined)
    io.err('--open: without a control plane there is no console; leave --no-control out.\n')
  if (options.open && ready.console !== undefined) {
    const { openBrowser } = await import('../process-io.ts')
    if (!(await openBrowser(ready.console))) io.err(`--open: no browser was found; open ${ready.console}\n`)
  }
  const lastDropped = reportDropped(simulator, io)
  await aborted(stopped)
  lastDropped()
  await shutDown(simulator, options.drain, io)
  return exitCodes.ok
}

const minuteMs = 60_000

/** Prints what a simulator evicts because of its limits every minute; the returned function prints the last line and stops. */
export function reportDropped(simulator: Pick<Simulator, 'tenants'>, io: Pick<Io, 'err'>): () => void {
  let printed = ''
  const print = (): void => {
    const dropped = Object.entries(droppedOf(simulator.tenants.map(({ state }) => state)))
    const now = dropped.map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ')
    if (now !== printed && now !== '') io.err(`evicted by limits so far: ${now}\n`)
    printed = now
  }
  const stop = everyRealTime(minuteMs, print)
  return () => {
    stop()
    print()
  }
}

/** Such as `1 response, 2 turns`; kinds with none are left out. */
function pendingText({ answers, turns, deliveries }: Awaited<ReturnType<Simulator['drain']>>): string {
  const kinds: readonly Parameters<typeof counted>[] = [
    [answers, 'response'],
    [turns, 'turn'],
    [deliveries, 'delivery', 'deliveries'],
  ]
  return kinds.flatMap((kind) => (kind[0] > 0 ? counted(...kind) : [])).join(', ')
}

/** Waits at most `seconds` for work in flight, and reports what it had to abort. */
export async function shutDown(simulator: Simulator, seconds: number, io: Io): Promise<void> {
  const begun = pendingText(await simulator.drain({ withinMs: 0 }))
  if (begun !== '' && seconds > 0)
    io.err(`waiting up to ${seconds} s for ${begun}; a second signal stops at once.\n`)
  const left = pendingText(await simulator.drain({ withinMs: seconds * 1_000 }))
  if (left !== '') io.err(`aborted ${left} after ${seconds} s; increase --drain to wait longer.\n`)
  await simulator.close()
}
