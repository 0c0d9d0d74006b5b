/**
 * The exchanges as an HTTP Archive, which browsers and proxies open. Requests that came in are among them, marked
 * with a comment and `_inbound`; what the format cannot hold (who sent it, when which bytes came) stands beside it
 * in members that begin with an underscore, as the format allows.
 */
import { joined, lengthOf } from '../../bundle/chunks.ts'
import { evidenceFolder } from '../../bundle/journal/evidence.ts'
import { journalFile } from '../../bundle/names.ts'
import type { Exchange, Run } from '../../bundle/record.ts'
import { earlyEndLine } from '../run/scope.ts'
import { protocolOf } from '../findings/exchanges.ts'
import { wellFormed } from '../visible.ts'
import type { Beside, Exporter } from './exporter.ts'

type Target = Run['record']['target']
type Header = Exchange['request']['headers'][number]

export const har: Exporter = { name: 'har', file: 'exchanges.har', render }

/** Exchanges in one file; a standard run has fewer. */
const mostEntries = 3_000

function render(run: Run, beside?: Beside): string {
  const { record } = run
  const { name, version } = record.tool
  const shown = shownOf(run)
  const lengths = shown.flatMap(({ request, response }) => [
    lengthOf(response?.chunks),
    ...[...request.headers, ...(response?.headers ?? [])].map(([, value]) => value.length),
  ])
  const together = (most: number): number => lengths.reduce((sum, length) => sum + Math.min(most, length), 0)
  const most = mostShown.find((most) => together(most) <= mostTogether) ?? mostShown[2]
  // One by one: the parts of an entry take many times the memory of its text.
  const entries = shown
    .toSorted((one, other) => one.sentAt - other.sentAt || one.id - other.id)
    .map((exchange) =>
      JSON.stringify(entryOf(exchange, beginningOf(exchange, record), record.target, most), wellFormed),
    )
  const rest = run.journal.length - shown.length
  const comments = [
    earlyEndLine(run, beside?.ends),
    rest > 0 ? `${rest} more exchanges are in ${journalFile}` : null,
  ]
  const comment = comments.filter((one) => one !== null).join('; ') || undefined
  const log = JSON.stringify({ version: '1.2', creator: { name, version }, entries: [], comment }, wellFormed)
  const start = log.indexOf('"entries":[]') + '"entries":['.length
  // Joined once: texts of megabytes are not to be copied.
  const listed = entries.flatMap((entry, at) => (at === 0 ? [entry] : [',', entry]))
  return [`{"log":${log.slice(0, start)}`, ...listed, `${log.slice(start)}}\n`].join('')
}

/** Of a long run those that findings cite, then those that were sent first. */
function shownOf({ record, journal }: Run): Run['journal'] {
  if (journal.length <= mostEntries) return journal
  const cited = new Set(record.findings.flatMap(({ evidence }) => evidence))
  const [first, others] = [true, false].map((wanted) => journal.filter(({ id }) => cited.has(id) === wanted))
  return [...(first ?? []), ...(others ?? [])].slice(0, mostEntries)
}

/** What the times of an exchange count from: of a merged run, from the beginning of its shard. */
function beginningOf({ id }: Exchange, { run, merged }: Run['record']): number {
  const shard = merged?.shards.find(({ number }) => (id - number) % merged.of === 0)
  return Date.parse((shard ?? run).startedAt)
}

function entryOf(exchange: Exchange, began: number, target: Target, most: number) {
  const { id, scenario, name, request, response, failure, sentAt, endedAt, inbound, resent } = exchange
  const came = inbound !== undefined
  const comment = `${came ? 'came in: ' : ''}${scenario}, ${name}${failure ? `, ${failure.kind}` : ''}`
  // Of what was never answered the format wants a response all the same: status 0, as browsers write it.
  const body = joined(response?.chunks)
  const headers = response?.headers ?? []
  const answeredAt = response?.at ?? endedAt
  return {
    startedDateTime: new Date(began + sentAt).toISOString(),
    time: endedAt - sentAt,
    request: requestOf(exchange, target, most),
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: protocolOf(exchange),
      cookies: [],
      headers: pairsOf(headers, most),
      content: { size: body.length, mimeType: typeOf(headers), ...textOf(body, most) },
      redirectURL: headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '',
      headersSize: -1,
      bodySize: response ? body.length : -1,
    },
    cache: {},
    timings: { send: 0, wait: Math.max(0, answeredAt - sentAt), receive: Math.max(0, endedAt - answeredAt) },
    comment,
    _id: id,
    _scenario: scenario,
    _name: name,
    _principal: request.principal,
    ...(came ? { _inbound: inbound } : {}),
    ...(resent ? { _resent: true } : {}),
    ...(failure ? { _failure: failure } : {}),
    ...(response ? { _chunks: response.chunks.map((chunk) => [chunk.at - sentAt, lengthOf([chunk])]) } : {}),
  }
}

function requestOf(exchange: Exchange, { kind, baseUrl }: Target, most: number) {
  const { request, inbound } = exchange
  const { method, path, headers, body, replica } = request
  // Each step of a client has a service with a port of its own.
  const [, host = ''] = headers.find(([name]) => kind === 'client' && name.toLowerCase() === 'host') ?? []
  const own = URL.canParse(`http://${host}`) ? `http://${host}` : (replica ?? baseUrl)
  const base = inbound && kind !== 'client' ? 'http://receiver.invalid' : own
  const url = urlOf(path.slice(0, mostOfPath).toWellFormed(), base)
  const comment = path.length > mostOfPath ? `…, ${path.length} characters in ${journalFile}` : undefined
  return {
    method,
    url,
    comment,
    httpVersion: protocolOf(exchange),
    cookies: [],
    headers: pairsOf(headers, most),
    queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: body.length,
    ...(body.length === 0 ? {} : { postData: { mimeType: typeOf(headers), ...textOf(body, most) } }),
  }
}

/** An id that the target made up may have megabytes, and is in a path and a query. */
const mostOfPath = 8_192

/** What was sent on purpose as no valid address is written as one, or no reader opens the file. */
function urlOf(path: string, base: string): string {
  const { origin, href } = new URL(URL.canParse(`${base}${path}`) ? `${base}${path}` : encodeURI(path), base)
  return `${origin}${href.slice(origin.length).replace(unwritable, encodeURIComponent)}`
}

// Addresses that browsers take are more than addresses that may be written.
const unwritable = /%(?![\da-f]{2})|[^\w.~:/?@!$&'()*+,;=%-]/gi

function pairsOf(headers: readonly Header[], most: number) {
  return headers.map(([name, value]) => ({
    name,
    value: value.length > most ? `${value.slice(0, most)}…`.toWellFormed() : value,
  }))
}

function typeOf(headers: readonly Header[]): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'application/octet-stream'
}

/** What is shown of a body in bytes, and of a header in characters, so that all together stay below a limit; the journal has all. */
const mostShown = [65_536, 4_096, 512] as const
const mostTogether = 8 << 20

/** As text where it is UTF-8, else in base64 with the word that says so. */
function textOf(body: Uint8Array, most: number): { text: string; encoding?: string; comment?: string } {
  const isCut = body.length > most
  const bytes = body.subarray(0, most)
  const comment = isCut ? `…, ${body.length} bytes in ${evidenceFolder}/ and ${journalFile}` : undefined
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return { text: decoder.decode(bytes, { stream: isCut }), ...(comment && { comment }) }
  } catch {
    return {
      text: Buffer.from(bytes).toString('base64'),
      encoding: 'base64',
      ...(comment && { comment }),
    }
  }
}
