/** The exchanges of a finding in words: which are shown, on one time axis, in a line, and in full. */
import { joined } from '../../bundle/chunks.ts'
import { curlOf } from '../../bundle/curl.ts'
import type { Exchange, Finding, RunRecord } from '../../bundle/record.ts'
import { loggedAs, loggedWords } from '../../bundle/trace.ts'
import { shorten, visible, visibleLine } from '../visible.ts'

/**
 * The exchanges that a check cites, else the first `most`, in the order sent; the decisive one, which shows the failure, is
 * always among them. `as`: the role that the check names. `rest`: so many more are in the journal.
 */
export function evidenceOf({ evidence, verdict, cited = [] }: Finding, most: number) {
  const [first] = evidence
  const failed = verdict === 'fail' || verdict === 'warn'
  const roles = new Map(cited.map(({ exchange, as }) => [exchange, as]))
  // Next to the decisive one, the exchange before it: of a client, the response that it acted on.
  const before = evidence
    .filter((id) => first !== undefined && id < first)
    .toSorted((one, other) => other - one)
  const named =
    roles.size > 0
      ? evidence.filter((id) => id === first || roles.has(id))
      : [...new Set([...evidence.slice(0, 1), ...before.slice(0, 1), ...evidence])]
  const ids = named.slice(0, most).toSorted((one, other) => one - other)
  const shown = ids.map((id) => ({
    id,
    as: roles.get(id),
    decisive: failed && ids.length > 1 && id === first,
  }))
  return { shown, rest: evidence.length - ids.length }
}

/** What a scenario calls it; what others sent has its request as its name. */
export const nameOf = ({ name, request }: Exchange): string =>
  name.startsWith(`${request.method} /`) ? '' : name

export type FailureTimeline = ReturnType<typeof timelineOf>
export type TimelineRow = FailureTimeline['rows'][number]

/** On one time axis, in the order sent. `most`: rows; `width`: characters of one line of a body. */
export function timelineOf(finding: Finding, journal: readonly Exchange[], most: number, width: number) {
  const { shown, rest } = evidenceOf(finding, most)
  const all = shown.flatMap((one) => {
    const exchange = journal.find(({ id }) => id === one.id)
    return exchange ? [{ ...one, exchange }] : []
  })
  // Of a list of exchanges with one name, without citations, only the one that shows the failure; of a client, after
  // the one before it.
  const shows = finding.cited?.length ? undefined : all.find((one) => one.decisive)
  const siblings = shows && nameOf(shows.exchange)
  const before = shows?.exchange.inbound && all[all.indexOf(shows) - 1]
  const found = siblings
    ? all.filter((one) => one.decisive || one === before || one.exchange.name !== siblings)
    : all
  const exchanges = found.map(({ exchange }) => exchange)
  const start = Math.min(...exchanges.map(({ sentAt }) => sentAt))
  const named = membersIn(`${finding.expected ?? ''} ${finding.got ?? ''}`)
  // A body that an earlier exchange has is replaced by the id of that one: that they are equal is what matters.
  const repeatedAs = (bodies: readonly (string | undefined)[]): readonly string[] =>
    bodies.map((body = 'not UTF-8', at) => {
      const [own, first] = [bodyLine(body, width, named), bodies.indexOf(body)]
      return first === at || own.length < 20 ? own : `the same as ${exchanges[first]?.id}`
    })
  const [sent, received] = [repeatedAs(exchanges.map(requestBody)), repeatedAs(exchanges.map(responseBody))]
  const principals = new Set(exchanges.map(({ request }) => request.principal))
  const rows = found.map(({ exchange, as, decisive }, at) => ({
    exchange,
    role: visibleLine(as ?? nameOf(exchange)),
    decisive: decisive || (found.length === 1 && finding.verdict !== 'error'),
    /** Milliseconds since the first row. */
    from: exchange.sentAt - start,
    to: exchange.endedAt - start,
    summary: summaryOf(exchange, principals.size > 1),
    /** Beginnings of the bodies; empty if there was none, `the same as 1541` if an earlier row has it. */
    sent: sent[at] ?? '',
    received: received[at] ?? '',
    header: headerOf(exchange, finding),
  }))
  const concurrent = rows.some((row, at) =>
    rows.slice(at + 1).some((other) => row.from < other.to && other.from < row.to),
  )
  return { rows, concurrent, rest: rest + shown.length - found.length }
}

/** Members of a body that the words of a failure name in backticks. */
const membersIn = (words: string): readonly string[] =>
  [...words.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

function headerOf({ inbound, request, response }: Exchange, { expected = '' }: Finding): string {
  const words = expected.toLowerCase()
  const ofRequest = /\bkey\b/.test(words) ? /signature|idempotency-key/i : /signature/i
  const [named] = [
    ...(inbound ? request.headers : []).filter(([name]) => ofRequest.test(name)),
    ...(response?.headers ?? []).filter(([name]) => words.includes(`header ${name.toLowerCase()}`)),
  ]
  return named === undefined ? '' : visibleLine(shorten(named.join(': '), 120))
}

function summaryOf(exchange: Exchange, several: boolean): string {
  const { method, path, principal } = exchange.request
  // Long ids are cut, so that a request fits a line; the command to paste has them whole.
  const request = `${method} ${visibleLine(
    path
      .split('/')
      .map((part) => (part.length > 18 ? `${part.slice(0, 14).toWellFormed()}…` : part))
      .join('/'),
  )}`
  if (exchange.inbound) return `${request} received ← replied ${resultText(exchange)}`
  const who = several || (principal !== null && principal !== 'main') ? ` as ${principal ?? 'nobody'}` : ''
  return `${request}${visibleLine(who)} → ${resultText(exchange)}`
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

/** Where the log of the server has an exchange; empty if nothing is known. */
export const logLine = (exchange: Exchange, target: Pick<RunRecord['target'], 'requestIdHeader'>): string =>
  visibleLine(shorten(loggedWords(exchange, target), 160))

/** As a command that runs where the run was started. */
export const curlLine = (exchange: Exchange, { run, target }: Pick<RunRecord, 'run' | 'target'>): string =>
  curlOf(exchange, target, run.origin?.command?.folder ?? '.')

/** Exchanges of a failure that a program gets. */
const mostInLog = 20

/** The exchanges of a finding, by what finds them in the log of the server. */
export const evidenceInLog = (
  finding: Finding,
  journal: readonly Exchange[],
  target: Pick<RunRecord['target'], 'requestIdHeader'>,
) =>
  evidenceOf(finding, mostInLog).shown.map(({ id }) => {
    const exchange = journal.find((one) => one.id === id)
    return { id, ...(exchange ? loggedAs(exchange, target) : { trace: null, requestId: null }) }
  })

const mostOfBody = 4_000
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'])

export const protocolOf = ({ response }: Exchange): string => `HTTP/${response?.http ?? 1.1}`

/** In full, in lines; no lines for what did not come back. `most`: characters of a body. */
export function transcript(exchange: Exchange, most = mostOfBody) {
  const { request, response } = exchange
  const http = protocolOf(exchange)
  return {
    summary: summary(exchange),
    request: [
      `${request.method} ${visibleLine(request.path)} ${http}`,
      ...headerLines(request.headers),
      '',
      ...bodyLines(request.body, most),
    ],
    response: response
      ? [`${http} ${response.status}`, ...headerLines(response.headers), '', ...answerLines(exchange, most)]
      : [],
  }
}

/** One line: method, path, status, error code and duration; of an inbound request, our reply. */
export function summary(exchange: Exchange): string {
  const { request, sentAt, endedAt } = exchange
  const took = `${Math.max(0, Math.round(endedAt - sentAt))} ms`
  const result = resultText(exchange)
  if (exchange.inbound)
    return `${request.method} ${visibleLine(shorten(request.path, 120))} received ← replied ${result} in ${took}`
  const who = request.principal === null ? '' : ` as ${visibleLine(request.principal)}`
  return `${request.method} ${visibleLine(shorten(request.path, 120))}${who} → ${result} in ${took}`
}

/** Such as `200`, `409 IDEMPOTENCY_CONFLICT`, `200, connection-lost` or `nothing`. */
export function resultText(exchange: Exchange): string {
  const { response, failure } = exchange
  const status = [response ? String(response.status) : '', codeIn(exchange)].filter(Boolean).join(' ')
  return [status, failure ? failure.kind : ''].filter(Boolean).join(', ') || 'nothing'
}

/** The error code of a refusal: the contract names no member for it, so any that is written like one. */
function codeIn(exchange: Exchange): string {
  if (exchange.inbound || (exchange.response?.status ?? 0) < 400) return ''
  return (
    /"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"/.exec(shorten(responseBody(exchange) ?? '', mostOfBody))?.[1] ?? ''
  )
}

/** Undefined if it is not UTF-8; empty if nothing came back. */
export function responseBody({ response }: Exchange): string | undefined {
  return textOf(joined(response?.chunks))
}

export const requestBody = ({ request }: Exchange): string | undefined => textOf(request.body)

function headerLines(headers: Exchange['request']['headers']): string[] {
  return headers.map(([name, value]) => {
    // The tokens that stand for secrets show where the same one was sent twice; nothing beside them is shown.
    const shown = secretHeaders.has(name.toLowerCase())
      ? (value.match(/\[\[[\w:.-]+\]\]/g)?.join(' ') ?? '[hidden]')
      : visibleLine(shorten(value, 500))
    return `${visibleLine(name)}: ${shown}`
  })
}

function answerLines({ response, failure }: Exchange, most: number): string[] {
  const body = bodyLines(joined(response?.chunks), most)
  if (failure) return [...body, `[${failure.kind}: ${visibleLine(failure.message)}]`]
  return response?.complete === false ? [...body, '[the body ended before its framing promised]'] : body
}

function bodyLines(body: Uint8Array, most: number): string[] {
  if (body.length === 0) return []
  const text = textOf(body)
  if (text === undefined) return [`[${body.length} bytes that are not UTF-8 text]`]
  // A server-sent event stream is lines already; anything else keeps the bytes it had.
  return visible(shorten(text.replaceAll('\r\n', '\n'), most)).split('\n')
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
