/** The exchanges that explain a failure, on one time axis: role, request, response, and the bodies on a line each. */
import type { Exchange, Finding } from '../bundle/record.ts'
import { shorten, visibleLine } from '../visible.ts'
import { bodyLine } from './body-line.ts'
import { evidenceOf } from './evidence.ts'
import { requestBody, responseBody, resultText } from './transcript.ts'

export interface TimelineRow {
  exchange: Exchange
  /** Its role in the failure, or its name in the scenario. */
  role: string
  /** It shows the failure. */
  decisive: boolean
  /** Milliseconds since the first row. */
  from: number
  to: number
  /** Such as `POST /api/v1/chat/agent_6q6LU… → 409 IDEMPOTENCY_CONFLICT`. */
  summary: string
  /** Beginnings of the bodies; empty if there was none, `the same as 1541` if an earlier row has it. */
  sent: string
  received: string
  /** The header that the failure is about, or the signature of a delivery. */
  header: string
}

export interface FailureTimeline {
  /** In the order sent. */
  rows: readonly TimelineRow[]
  /** Some of them were in flight at the same time. */
  concurrent: boolean
  /** So many more are in the journal. */
  rest: number
}

export interface TimelineLimits {
  rows: number
  /** Characters of one line of a body. */
  body: number
}

export function timelineOf(
  finding: Finding,
  journal: readonly Exchange[],
  { rows: most, body }: TimelineLimits,
): FailureTimeline {
  const { shown, rest } = evidenceOf(finding, most)
  const found = withoutSiblings(
    shown.flatMap((one) => {
      const exchange = journal.find(({ id }) => id === one.id)
      return exchange ? [{ ...one, exchange }] : []
    }),
    finding,
  )
  const exchanges = found.map(({ exchange }) => exchange)
  const start = Math.min(...exchanges.map(({ sentAt }) => sentAt))
  const named = membersIn(`${finding.expected ?? ''} ${finding.got ?? ''}`)
  const sent = repeatedAs(exchanges, (one) => bodyLine(requestBody(one) ?? 'not UTF-8', body, named))
  const received = repeatedAs(exchanges, (one) => bodyLine(responseBody(one) ?? 'not UTF-8', body, named))
  const principals = new Set(exchanges.map(({ request }) => request.principal))
  const rows = found.map(({ exchange, as, decisive }, at) => ({
    exchange,
    role: visibleLine(as ?? exchange.name),
    decisive: decisive || (found.length === 1 && finding.verdict !== 'error'),
    from: exchange.sentAt - start,
    to: exchange.endedAt - start,
    summary: summaryOf(exchange, principals.size > 1),
    sent: sent[at] ?? '',
    received: received[at] ?? '',
    header: headerOf(exchange, finding),
  }))
  return {
    rows,
    concurrent: rows.some((row, at) => rows.slice(at + 1).some(overlaps(row))),
    rest: rest + shown.length - found.length,
  }
}

/** Of a list of exchanges with one name, without citations, only the one that shows the failure. */
function withoutSiblings<S extends { exchange: Exchange; decisive: boolean }>(
  shown: readonly S[],
  { cited = [] }: Finding,
): readonly S[] {
  const name = cited.length === 0 ? shown.find(({ decisive }) => decisive)?.exchange.name : undefined
  return shown.filter(({ exchange, decisive }) => decisive || exchange.name !== name)
}

const overlaps =
  (one: Pick<TimelineRow, 'from' | 'to'>) =>
  (other: Pick<TimelineRow, 'from' | 'to'>): boolean =>
    one.from < other.to && other.from < one.to

/** A text that an earlier exchange has is replaced by the id of that one: that they are equal is what matters. */
function repeatedAs(exchanges: readonly Exchange[], text: (exchange: Exchange) => string): readonly string[] {
  const texts = exchanges.map(text)
  return texts.map((own, at) => {
    const first = texts.indexOf(own)
    return own === '' || first === at || own.length < 20 ? own : `the same as ${exchanges[first]?.id}`
  })
}

/** Members of a body that the words of a failure name in backticks. */
const membersIn = (words: string): readonly string[] =>
  [...words.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

function headerOf({ inbound, request, response }: Exchange, { expected = '' }: Finding): string {
  const words = expected.toLowerCase()
  const [named] = [
    ...(inbound ? request.headers : []).filter(([name]) => /signature/i.test(name)),
    ...(response?.headers ?? []).filter(([name]) => words.includes(`header ${name.toLowerCase()}`)),
  ]
  return named === undefined ? '' : visibleLine(shorten(named.join(': '), 120))
}

function summaryOf(exchange: Exchange, several: boolean): string {
  const { method, path, principal } = exchange.request
  const request = `${method} ${visibleLine(briefPath(path))}`
  if (exchange.inbound) return `${request} received ← replied ${resultText(exchange)}`
  const who = several || (principal !== null && principal !== 'main') ? ` as ${principal ?? 'nobody'}` : ''
  return `${request}${visibleLine(who)} → ${resultText(exchange)}`
}

/** Long ids are cut, so that a request fits a line; the command to paste has them whole. */
function briefPath(path: string): string {
  return path
    .split('/')
    .map((part) => (part.length > 18 ? `${part.slice(0, 14).toWellFormed()}…` : part))
    .join('/')
}
