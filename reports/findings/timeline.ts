/** The exchanges that explain a failure, on one time axis: role, request, response, and the bodies on a line each. */
import type { Exchange, Finding } from '../bundle/record.ts'
import { shorten, visibleLine } from '../visible.ts'
import { requestBody, responseBody, resultText } from './transcript.ts'
import { evidenceOf } from './evidence.ts'

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

/** Characters of a string inside a JSON body that is too long to be shown whole. */
const mostOfString = 24

/**
 * Returns a body as it is if it fits `line` characters, an event stream as its event types. A longer JSON body starts
 * at the first of `members` that occurs in it once, and otherwise has its strings cut; either fits two lines.
 */
export function bodyLine(body: string, line: number, members: readonly string[] = []): string {
  const events = [...body.matchAll(/^data: ?\{"type":"([\w.]+)"/gm)].map(([, name = '']) => name)
  const most = Math.max(2 * line - 12, line)
  if (events.length > 0) return cut(`events: ${runLengths(events).join(', ')}`, most)
  const text = visibleLine(body.trim())
  if (text.length <= line) return text
  const member = members.map((name) => `"${name}":`).find((name) => text.split(name).length === 2)
  if (member !== undefined && text.indexOf(member) > line / 2)
    return cut(`…${withShortStrings(text.slice(text.indexOf(member)))}`, most)
  return cut(withShortStrings(text), most)
}

/** Up to its end, or to the end of the text: to look for an end from each quote would take hours in a large body. */
const string = /"((?:[^"\\]|\\.)*)("?:?)/g

/** Members keep their names. */
function withShortStrings(text: string): string {
  return text.replaceAll(string, (whole, inner: string, end: string) =>
    end !== '":' && inner.length > mostOfString
      ? `"${inner.slice(0, mostOfString - 4).toWellFormed()}…${end}`
      : whole,
  )
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

/** `token, token, done` as `2 × token, done`. */
export function runLengths(kinds: readonly string[]): readonly string[] {
  const starts = kinds.flatMap((kind, i) => (kind === kinds[i - 1] ? [] : [i]))
  return starts.map((start, i) => {
    const times = (starts[i + 1] ?? kinds.length) - start
    return times === 1 ? `${kinds[start]}` : `${times} × ${kinds[start]}`
  })
}
