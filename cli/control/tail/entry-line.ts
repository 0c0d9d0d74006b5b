/** An entry of a journal as a line for a person or for a program. */
import { styleText } from 'node:util'
import { visible, visibleLine } from '../../../reports/visible.ts'
import type { ControlledEntry } from '../../../simulator/control-client/index.ts'
import { durationText } from '../clock.ts'

/** What an entry says; null where it says nothing. */
interface Facts {
  /** Idempotency key of the header or the body. */
  readonly key: string | null
  /** Of a turn: `run`, `replay`, `AI paused` or `error in the stream`; of an error, its code. */
  readonly outcome: string | null
  readonly credits: number | null
  /** From the complete request to the end of the response, on the clock of the tenant. */
  readonly ms: number | null
}

/** `#12  12:00:00.000  POST /api/v1/chat/agent_1  200  key order-1001  replay  1 credit  12 ms`. */
export function personEntry(entry: ControlledEntry, replayHeader: string, colour: boolean): string {
  const { key, outcome, credits, ms } = factsOf(entry, replayHeader)
  const cells = [
    `#${entry.id}`.padEnd(4),
    entry.at.slice(11, 23),
    `${entry.method.padEnd(4)} ${visibleLine(entry.path)}`,
    painted(statusText(entry), entry.status, colour),
    key === null ? '' : `key ${visibleLine(key)}`,
    outcome ?? '',
    credits === null ? '' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`,
    ms === null ? '' : durationText(ms),
  ]
  return `${cells.filter((cell) => cell !== '').join('  ')}\n`
}

export function programEntry(entry: ControlledEntry, replayHeader: string, bodies: boolean): string {
  const { id, at, method, path, status, closedBy, request, response } = entry
  const shown = { id, at, method, path, status, closedBy, ...factsOf(entry, replayHeader) }
  return `${JSON.stringify(bodies ? { ...shown, request, response } : shown)}\n`
}

/** Request and response, indented; empty bodies are left out. */
export function bodyLines({ request, response }: ControlledEntry): string {
  return [...marked('>', request?.body), ...marked('<', response?.body)].join('')
}

function marked(mark: string, body = ''): readonly string[] {
  const lines = visible(body)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.map((line) => `      ${mark} ${line}\n`)
}

const endings: Readonly<Record<string, string>> = { drop: 'cut off', client: 'client left' }

function statusText({ status, closedBy }: ControlledEntry): string {
  const ending = closedBy ? endings[closedBy] : 'in flight'
  return [status, ending].filter((part) => part !== null && part !== undefined).join(' ')
}

function painted(text: string, status: number | null, colour: boolean): string {
  if (!colour || (status !== null && status < 400)) return text
  return styleText(status !== null && status < 500 ? 'yellow' : 'red', text, { validateStream: false })
}

type Members = Readonly<Record<string, unknown>>

export function factsOf(entry: ControlledEntry, replayHeader: string): Facts {
  const { request, response, at, endedAt } = entry
  const key = headerOf(request?.headers, 'idempotency-key') ?? membersOf(request?.body)['idempotency_key']
  const result = resultOf(response?.body)
  const outcome = outcomeOf(entry, result, replayHeader)
  const credits = result['credits_used']
  return {
    key: typeof key === 'string' ? key : null,
    outcome,
    // A replay shows those of the original, and uses none.
    credits: typeof credits === 'number' && outcome !== 'replay' ? credits : null,
    ms: endedAt === undefined ? null : Date.parse(endedAt) - Date.parse(at),
  }
}

function outcomeOf(
  { method, path, status, response }: ControlledEntry,
  result: Members,
  replayHeader: string,
): string | null {
  if (status === null) return null
  if (status >= 400) return codeIn(result)
  if (headerOf(response?.headers, replayHeader.toLowerCase()) === 'true') return 'replay'
  if (method !== 'POST' || !/\/chat(?:[/?]|$)/.test(path)) return null
  if (result['type'] === 'error') return 'error in the stream'
  return 'customer_message' in result ? 'AI paused' : 'run'
}

function headerOf(headers: readonly (readonly string[])[] = [], name: string): string | undefined {
  return headers.find(([given = '']) => given.toLowerCase() === name)?.[1]
}

/** The JSON body; of a stream, its last event. */
function resultOf(body = ''): Members {
  const last = body.split(/\r\n|\r|\n/).findLast((line) => line.startsWith('data:'))
  return membersOf(last === undefined ? body : last.slice('data:'.length))
}

function membersOf(text = ''): Members {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** An error code may be in any member. */
const codeIn = (body: Members): string | null =>
  (Object.values(body).find((value) => typeof value === 'string' && /^[A-Z]+(?:_[A-Z]+)*$/.test(value)) as
    | string
    | undefined) ?? null
