/** Prints the journal of a tenant: as it is, or as it grows. */
import { styleText } from 'node:util'
import { visible, visibleLine } from '../../reports/visible.ts'
import type { ControlledEntry, ControlledJournalEvent } from '../../simulator/control-client/index.ts'
import { realClock, type Clock } from '../../suites/wire/clock.ts'
import type { TailOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { durationText } from './clock.ts'
import { SimulatorUnavailable, withConnection, type SimulatorConnection } from './connection.ts'

type Print = (entry: ControlledEntry) => void

const reconnectAfterMs = 1_000

export async function tail(options: TailOptions, io: Io, clock: Clock = realClock()): Promise<number> {
  const { path = '', status, bodies = false, since, json } = options
  const wanted = new RegExp(`^${status?.replaceAll('x', '\\d') ?? '.*'}$`)
  const print: Print = (entry) => {
    if (!entry.path.startsWith(path) || !wanted.test(String(entry.status ?? ''))) return
    if (json) return io.out(programEntry(entry, bodies))
    io.out(`${personEntry(entry, io.colour)}${bodies ? bodyLines(entry) : ''}`)
  }
  if (options.follow) await followUntilStopped(options, io, clock, print)
  else
    await withConnection(options, io.env, async ({ tenant: { journal } }) =>
      (await journal.entries({ after: since })).forEach(print),
    )
  return exitCodes.ok
}

async function followUntilStopped(options: TailOptions, io: Io, clock: Clock, print: Print): Promise<void> {
  const { stopped } = io
  const reader = createEntryReader(options.since)
  const connection: { state: 'none yet' | 'open' | 'lost' } = { state: 'none yet' }
  const follow = async ({ client, tenant, tenantId }: SimulatorConnection): Promise<void> => {
    const [newest] = await tenant.journal.entries({}, { limit: 1 })
    const since = reader.resume(tenantId, newest?.id ?? 0)
    io.err(connection.state === 'lost' ? 'reconnected.\n' : `Requests to ${client.url}; Ctrl-C ends it.\n`)
    connection.state = 'open'
    for await (const event of tenant.journal.follow({ since, signal: stopped })) {
      if (event.type === 'cleared') io.err('the tenant was reset.\n')
      if (event.type === 'lost') io.err(`${event.entries} requests are missing: the journal evicted them.\n`)
      const entry = reader.read(event)
      if (entry) print(entry)
    }
  }
  for (;;) {
    try {
      await withConnection(options, io.env, follow)
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

/** `#12  12:00:00.000  POST /api/v1/chat/agent_1  200  key order-1001  run  1 credit  12 ms`. */
function personEntry(entry: ControlledEntry, colour: boolean): string {
  const { idempotencyKey: key, outcome, status } = entry
  const credits = outcome === 'replay' ? undefined : entry.credits?.used
  const ms = durationOf(entry)
  const cells = [
    `#${entry.id}`.padEnd(4),
    entry.at.slice(11, 23),
    `${entry.method.padEnd(4)} ${visibleLine(entry.path)}`,
    statusText(entry, colour),
    key === undefined ? '' : `key ${visibleLine(key)}`,
    (status !== null && status >= 400 ? codeOf(entry) : undefined) ?? outcome ?? '',
    credits === undefined ? '' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`,
    ms === null ? '' : durationText(ms),
  ]
  return `${cells.filter((cell) => cell !== '').join('  ')}\n`
}

function programEntry(entry: ControlledEntry, bodies: boolean): string {
  const { request, response, chunks: _, ...facts } = entry
  const shown = { ...facts, ms: durationOf(entry), ...(bodies && { request, response }) }
  return `${JSON.stringify(shown)}\n`
}

/** From the complete request to the end of the response, on the clock of the tenant. */
const durationOf = ({ at, endedAt }: ControlledEntry): number | null =>
  endedAt === undefined ? null : Date.parse(endedAt) - Date.parse(at)

/** Request and response, indented; empty bodies are left out. */
function bodyLines({ request, response }: ControlledEntry): string {
  const marked = (mark: string, body = ''): readonly string[] =>
    visible(body)
      .split('\n')
      .flatMap((line) => (line.trim() === '' ? [] : [`      ${mark} ${line}\n`]))
  return [...marked('>', request?.body), ...marked('<', response?.body)].join('')
}

const endings: Readonly<Record<string, string>> = { drop: 'cut off', client: 'client left' }

function statusText({ status, closedBy }: ControlledEntry, colour: boolean): string {
  const ending = closedBy ? endings[closedBy] : 'in flight'
  const text = [status, ending].filter((part) => part !== null && part !== undefined).join(' ')
  if (!colour || (status !== null && status < 400)) return text
  return styleText(status !== null && status < 500 ? 'yellow' : 'red', text, { validateStream: false })
}

/** The error code in a JSON response, in any member. */
function codeOf({ response }: ControlledEntry): string | undefined {
  try {
    const body: unknown = JSON.parse(response?.body ?? '')
    const values: readonly unknown[] = typeof body === 'object' && body !== null ? Object.values(body) : []
    return values.find((value) => typeof value === 'string' && /^[A-Z]+(?:_[A-Z]+)*$/.test(value)) as
      | string
      | undefined
  } catch {
    return undefined
  }
}

/** `start`: only entries with a greater number; default: only new ones. */
function createEntryReader(start?: number) {
  const open = new Map<number, ControlledEntry>()
  /** Those that ended while an earlier one was in flight: the next stream repeats them. */
  const ended = new Set<number>()
  let tenant: string | undefined
  let newest = 0

  const forget = (): void => {
    open.clear()
    ended.clear()
    newest = 0
  }
  const end = (entry: ControlledEntry): ControlledEntry | undefined => {
    open.delete(entry.id)
    newest = Math.max(newest, entry.id)
    const isNew = !ended.has(entry.id)
    if (open.size === 0) ended.clear()
    else ended.add(entry.id)
    return isNew ? entry : undefined
  }
  return {
    /** Returns where the next stream starts. A tenant of another id, or with fewer entries, is a new one. */
    resume(tenantId: string, last: number): number {
      if (tenant === undefined) newest = start ?? last
      else if (tenant !== tenantId || last < newest) forget()
      tenant = tenantId
      const since = Math.min(newest, ...[...open.keys()].map((id) => id - 1))
      open.clear()
      return since
    },
    /** Returns the entry that the event completes. */
    read(event: ControlledJournalEvent): ControlledEntry | undefined {
      if (event.type === 'cleared') forget()
      if (event.type === 'cleared' || event.type === 'lost') return undefined
      const { id } = event
      if (event.type === 'request') {
        const { type: _, ...request } = event
        open.set(id, { ...request, status: null, closedBy: null, response: { headers: [], body: '' } })
        return undefined
      }
      const entry = open.get(id)
      if (!entry) return undefined
      const { headers = [], body = '' } = entry.response ?? {}
      if (event.type === 'headers')
        open.set(id, { ...entry, status: event.status, response: { headers: event.headers, body } })
      if (event.type === 'chunk') open.set(id, { ...entry, response: { headers, body: body + event.text } })
      if (event.type !== 'end') return undefined
      const { type: _, ...state } = event
      return end({ ...entry, ...state })
    },
  }
}
