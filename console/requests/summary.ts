/** What an exchange says about itself: what the journal knows of it, and the events of a stream. */
import { parsed } from '../state/api.ts'
import type { Exchange } from '../state/exchanges.ts'
import type { Tone } from '../ui/panel.tsx'

export interface Summary {
  readonly outcome: Outcome | null
  /** Code of an error, wherever the body has it; empty for none. */
  readonly code: string
  /** Events of a stream with their times; empty for other responses. */
  readonly events: readonly TimedEvent[]
}

export interface TimedEvent {
  /** In ms of real time since the request was complete. */
  readonly afterMs: number
  readonly type: string
  readonly data: string
}

export type Outcome = NonNullable<Exchange['outcome']> | 'open' | 'not-run'

export const outcomes: Readonly<Record<Outcome, { readonly label: string; readonly tone: Tone }>> = {
  open: { label: 'in flight', tone: 'doubt' },
  run: { label: 'answered', tone: 'good' },
  replay: { label: 'replay', tone: 'quiet' },
  'stored-while-paused': { label: 'stored (AI paused)', tone: 'doubt' },
  'in-flight': { label: 'already in flight', tone: 'doubt' },
  conflict: { label: 'conflict', tone: 'bad' },
  uncertain: { label: 'uncertain', tone: 'bad' },
  paused: { label: 'AI paused', tone: 'doubt' },
  stale: { label: 'stale button', tone: 'doubt' },
  refused: { label: 'refused', tone: 'doubt' },
  failed: { label: 'failed', tone: 'bad' },
  broken: { label: 'cut off', tone: 'bad' },
  'not-run': { label: 'cut, not run', tone: 'bad' },
}

export const contentType = ({ responseHeaders }: Exchange): string =>
  responseHeaders.find(([name = '']) => name.toLowerCase() === 'content-type')?.[1] ?? ''

export const bodyTextOf = ({ chunks }: Exchange): string => chunks.map(({ text }) => text).join('')

export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function membersOf(text: string): Members {
  const value = parsed(text)
  return isMembers(value) ? value : {}
}

export function textIn(members: Members, name: string): string {
  const value = members[name]
  return typeof value === 'string' ? value : ''
}

/** Each event with the time at which its last byte went out. */
function eventsOf(one: Exchange): readonly TimedEvent[] {
  if (!contentType(one).startsWith('text/event-stream')) return []
  const events: TimedEvent[] = []
  let pending = ''
  for (const chunk of one.chunks) {
    const blocks = (pending + chunk.text).split(/\r?\n\r?\n/)
    pending = blocks.pop() ?? ''
    for (const block of blocks) events.push({ afterMs: chunk.afterMs, ...eventOf(block) })
  }
  return events
}

function eventOf(block: string): { type: string; data: string } {
  const lines = block.split(/\r?\n/)
  const data = lines.flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []).join('\n')
  const named = lines.flatMap((line) => /^event: ?(.*)$/.exec(line)?.[1] ?? [])[0]
  return { type: named ?? (textIn(membersOf(data), 'type') || 'comment'), data: data === '' ? block : data }
}

/** A code may be in any member of an error, and need not be alone in it. */
const codeOf = (body: Members): string =>
  Object.values(body)
    .flatMap((value) =>
      typeof value === 'string' ? (/\b[A-Z]{2,}(?:_[A-Z]+)+\b/.exec(value)?.[0] ?? []) : [],
    )
    .at(0) ?? ''

const known = new WeakMap<Exchange, Summary>()

export function summaryOf(one: Exchange): Summary {
  const found = known.get(one)
  if (found) return found
  const events = eventsOf(one)
  const summary: Summary = {
    outcome: outcomeOf(one),
    code: (one.status ?? 0) >= 400 ? codeOf(membersOf(bodyTextOf(one))) : '',
    events,
  }
  known.set(one, summary)
  return summary
}

function outcomeOf({ operation, outcome, closedBy, turn }: Exchange): Outcome | null {
  if (operation !== 'chat') return null
  if (outcome === 'broken' && turn?.is === 'none' && turn.charged === 0) return 'not-run'
  return outcome ?? (closedBy === null ? 'open' : null)
}

export function replyOf(one: Exchange): Members {
  const { events } = summaryOf(one)
  return membersOf(
    events.length > 0 ? (events.findLast(({ type }) => type === 'done')?.data ?? '') : bodyTextOf(one),
  )
}

/** What was charged, whatever the reply says; empty for nothing where no turn ran. */
export function creditsOf({ turn, credits }: Exchange): string {
  if (!turn || (turn.is === 'none' && turn.charged === 0)) return ''
  const isOther = credits !== undefined && credits.used !== turn.charged
  return `${turn.charged ?? 'open when the response ended'}${isOther ? ` (reply says ${credits.used})` : ''}`
}

/** From the complete request to the end of its response, in ms; null while it is under way. */
export const durationOf = ({ at, endedAt }: Exchange): number | null =>
  endedAt === null ? null : Date.parse(endedAt) - Date.parse(at)
