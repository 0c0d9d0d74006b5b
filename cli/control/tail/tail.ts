/** Prints the journal of a tenant: as it is, or as it grows. */
import type { ControlledEntry } from '../../../simulator/control-client/index.ts'
import { realClock, type Clock } from '../../../suites/wire/clock.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { Io } from '../../io.ts'
import { SimulatorUnavailable, withConnection, type SimulatorConnection } from '../connection.ts'
import type { ControlOptions } from '../control-options.ts'
import { bodyLines, personEntry, programEntry } from './entry-line.ts'
import { createEntryReader, type EntryReader } from './entry-reader.ts'

export interface TailOptions extends ControlOptions {
  follow: boolean
  since?: number
  path?: string
  status?: string
  bodies?: true
}

type Print = (entry: ControlledEntry) => void

const reconnectAfterMs = 1_000

/** Returns the exit code when it ends. Throws a UsageError if the simulator cannot be reached at first, or refuses. */
export async function tail(options: TailOptions, io: Io, clock: Clock = realClock()): Promise<number> {
  const print = printer(options, io)
  if (options.follow) await followUntilStopped({ options, io, clock, print })
  else await withConnection(options, io.env, ({ tenant }) => printAll(tenant, options.since, print))
  return exitCodes.ok
}

interface FollowDeps {
  readonly options: TailOptions
  readonly io: Io
  readonly clock: Clock
  readonly print: Print
}

async function followUntilStopped({ options, io, clock, print }: FollowDeps): Promise<void> {
  const { stopped } = io
  const reader = createEntryReader(options.since)
  const connection: { state: 'none yet' | 'open' | 'lost' } = { state: 'none yet' }
  const onConnected = (address: string): void => {
    if (connection.state === 'lost') io.err('reconnected.\n')
    else io.err(`Requests to ${address}; Ctrl-C ends it.\n`)
    connection.state = 'open'
  }
  for (;;) {
    try {
      await withConnection(options, io.env, (to) => follow(to, reader, { print, onConnected, io }))
    } catch (error) {
      if (!stopped.aborted && (connection.state === 'none yet' || !isInterruption(error))) throw error
    }
    if (stopped.aborted) return
    if (connection.state === 'open') io.err('connection lost; reconnecting…\n')
    connection.state = 'lost'
    await clock.sleep(reconnectAfterMs, stopped)
  }
}

/** Whether trying again can help: a stream that breaks rejects with a TypeError of `fetch`. */
const isInterruption = (error: unknown): boolean =>
  error instanceof SimulatorUnavailable || (error instanceof TypeError && error.message === 'terminated')

async function printAll({ journal }: SimulatorConnection['tenant'], since: number | undefined, print: Print) {
  const entries = await journal.entries(since === undefined ? {} : { after: since })
  for (const entry of entries) print(entry)
}

async function follow(
  { client, tenant, tenantId }: SimulatorConnection,
  reader: EntryReader,
  { print, onConnected, io }: Pick<FollowDeps, 'print' | 'io'> & { onConnected: (address: string) => void },
): Promise<void> {
  const [newest] = await tenant.journal.entries({}, { limit: 1 })
  const since = reader.resume(tenantId, newest?.id ?? 0)
  onConnected(client.url)
  for await (const event of tenant.journal.follow({ since, signal: io.stopped })) {
    if (event.type === 'cleared') io.err('the tenant was reset.\n')
    if (event.type === 'lost') io.err(`${event.entries} requests are missing: the journal evicted them.\n`)
    const entry = reader.read(event)
    if (entry) print(entry)
  }
}

function printer({ path = '', status, bodies, json }: TailOptions, io: Io): Print {
  const wanted = new RegExp(`^${status?.replaceAll('x', '\\d') ?? '.*'}$`)
  return (entry) => {
    if (!entry.path.startsWith(path) || !wanted.test(String(entry.status ?? ''))) return
    if (json) return io.out(programEntry(entry, bodies === true))
    io.out(`${personEntry(entry, io.colour)}${bodies ? bodyLines(entry) : ''}`)
  }
}
