/** What an exchange says about itself, read from its bytes. */
import type { Exchange } from '../state/exchanges.ts'
import type { Tone } from '../ui/panel.tsx'

export interface Summary {
  /** Idempotency key of header or body; empty for none. */
  readonly key: string
  readonly outcome: Outcome | null
  /** Code of an error, wherever the body has it; empty for none. */
  readonly code: string
  readonly creditsUsed: number | null
  readonly creditsRemaining: number | null
  readonly conversationId: string
  /** Events of a stream with their times; empty for other responses. */
  readonly events: readonly TimedEvent[]
}

export interface TimedEvent {
  /** In ms since the request was complete. */
  readonly afterMs: number
  readonly type: string
  readonly data: string
}

export type Outcome = keyof typeof outcomes

/** What became of a turn. */
export const outcomes = {
  run: { label: 'run', tone: 'good' },
  'in flight': { label: 'in flight', tone: 'doubt' },
  replay: { label: 'replay', tone: 'quiet' },
  'already running': { label: 'already running', tone: 'doubt' },
  conflict: { label: 'conflict', tone: 'bad' },
  uncertain: { label: 'uncertain', tone: 'bad' },
  paused: { label: 'stored, AI paused', tone: 'quiet' },
  stale: { label: 'stale button', tone: 'doubt' },
  refused: { label: 'refused', tone: 'doubt' },
  'cut off': { label: 'cut off', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: Tone }>

const outcomeOfCode: Readonly<Record<string, Outcome>> = {
  REQUEST_IN_PROGRESS: 'already running',
  IDEMPOTENCY_CONFLICT: 'conflict',
  OUTCOME_UNCERTAIN: 'uncertain',
  AI_REPLY_PAUSED: 'paused',
  WORKFLOW_INTERACTION_STALE: 'stale',
}

const headerOf = (headers: Exchange['responseHeaders'], name: string): string =>
  headers.find(([given = '']) => given.toLowerCase() === name)?.[1] ?? ''

export const bodyTextOf = ({ chunks }: Exchange): string => chunks.map(({ text }) => text).join('')

type Members = Readonly<Record<string, unknown>>

export function membersOf(text: string): Members {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Members) : {}
  } catch {
    return {}
  }
}

/** Each event with the time at which its last byte went out. */
function eventsOf({ at, chunks, responseHeaders }: Exchange): readonly TimedEvent[] {
  if (!headerOf(responseHeaders, 'content-type').startsWith('text/event-stream')) return []
  const begun = Date.parse(at)
  const events: TimedEvent[] = []
  let pending = ''
  for (const chunk of chunks) {
    const blocks = (pending + chunk.text).split(/\r?\n\r?\n/)
    pending = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split(/\r?\n/)
      const data = lines.flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []).join('\n')
      const named = lines.flatMap((line) => /^event: ?(.*)$/.exec(line)?.[1] ?? [])[0]
      const type = String(named ?? membersOf(data)['type'] ?? 'comment')
      events.push({ afterMs: Date.parse(chunk.at) - begun, type, data: data === '' ? block : data })
    }
  }
  return events
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** A code may be in any member of an error, and need not be alone in it. */
const codeOf = (body: Members): string =>
  Object.values(body)
    .flatMap((value) =>
      typeof value === 'string' ? (/\b[A-Z]{2,}(?:_[A-Z]+)+\b/.exec(value)?.[0] ?? []) : [],
    )
    .at(0) ?? ''

const isTurn = ({ method, path }: Exchange): boolean => method === 'POST' && /\/chat(?:\/|\?|$)/.test(path)

function outcomeOf(one: Exchange, code: string): Outcome | null {
  if (!isTurn(one)) return null
  if (one.closedBy === null) return 'in flight'
  if (one.closedBy === 'drop' || one.status === null) return 'cut off'
  const replay = one.responseHeaders.some(
    ([name = '', value]) => name.toLowerCase().endsWith('-idempotent-replay') && value === 'true',
  )
  if (replay) return 'replay'
  return outcomeOfCode[code] ?? (one.status < 300 ? 'run' : 'refused')
}

const known = new WeakMap<Exchange, Summary>()

/** Computed once for each state of an exchange. */
export function summaryOf(one: Exchange): Summary {
  const found = known.get(one)
  if (found) return found
  const events = eventsOf(one)
  const request = membersOf(one.request.body)
  const last = events.findLast(({ type }) => type === 'done')
  const body = membersOf(last?.data ?? (events.length > 0 ? '' : bodyTextOf(one)))
  const code = codeOf(body)
  const summary = {
    key: headerOf(one.request.headers, 'idempotency-key') || String(request['idempotency_key'] ?? ''),
    outcome: outcomeOf(one, code),
    code: (one.status ?? 0) >= 400 ? code : '',
    creditsUsed: numberOf(body['credits_used']),
    creditsRemaining: numberOf(body['credits_remaining']),
    conversationId: String(body['conversation_id'] ?? request['conversation_id'] ?? ''),
    events,
  }
  known.set(one, summary)
  return summary
}

/** From the complete request to the end of its response, in ms; null while it is under way. */
export const durationOf = ({ at, endedAt }: Exchange): number | null =>
  endedAt === null ? null : Date.parse(endedAt) - Date.parse(at)
