/** An entry of a journal as a line for a person or for a program. */
import { styleText } from 'node:util'
import { visible, visibleLine } from '../../../reports/visible.ts'
import type { ControlledEntry } from '../../../simulator/control-client/index.ts'
import { durationText } from '../clock.ts'

/** `#12  12:00:00.000  POST /api/v1/chat/agent_1  200  key order-1001  run  1 credit  12 ms`. */
export function personEntry(entry: ControlledEntry, colour: boolean): string {
  const { idempotencyKey: key, outcome, status } = entry
  const credits = outcome === 'replay' ? undefined : entry.credits?.used
  const ms = durationOf(entry)
  const cells = [
    `#${entry.id}`.padEnd(4),
    entry.at.slice(11, 23),
    `${entry.method.padEnd(4)} ${visibleLine(entry.path)}`,
    painted(statusText(entry), status, colour),
    key === undefined ? '' : `key ${visibleLine(key)}`,
    (status !== null && status >= 400 ? codeOf(entry) : undefined) ?? outcome ?? '',
    credits === undefined ? '' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`,
    ms === null ? '' : durationText(ms),
  ]
  return `${cells.filter((cell) => cell !== '').join('  ')}\n`
}

export function programEntry(entry: ControlledEntry, bodies: boolean): string {
  const { request, response, chunks: _, ...facts } = entry
  const shown = { ...facts, ms: durationOf(entry), ...(bodies && { request, response }) }
  return `${JSON.stringify(shown)}\n`
}

/** From the complete request to the end of the response, on the clock of the tenant. */
const durationOf = ({ at, endedAt }: ControlledEntry): number | null =>
  endedAt === undefined ? null : Date.parse(endedAt) - Date.parse(at)

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

/** The error code in a JSON response, in any member. */
function codeOf({ response }: ControlledEntry): string | undefined {
  try {
    const body: unknown = JSON.parse(response?.body ?? '')
    return typeof body === 'object' && body !== null ? Object.values(body).find(isCode) : undefined
  } catch {
    return undefined
  }
}

const isCode = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z]+(?:_[A-Z]+)*$/.test(value)
