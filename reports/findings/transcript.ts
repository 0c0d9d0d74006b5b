/** An exchange in words: what was sent and what came back, secrets hidden, bodies as text, cut to size. */
import { joined } from '../bundle/chunks.ts'
import type { Exchange } from '../bundle/record.ts'
import { shorten, visible, visibleLine } from '../visible.ts'

export interface Transcript {
  /** `POST /api/v1/chat/a1 as main → 200 in 12 ms`; of an inbound one `POST /run/a/1 received ← replied 500 in 2 ms`. */
  summary: string
  request: readonly string[]
  /** Empty when nothing came back. */
  response: readonly string[]
}

const mostOfBody = 4_000
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'])

/** `most`: characters of a body. */
export function transcript(exchange: Exchange, most = mostOfBody): Transcript {
  const { request, response } = exchange
  return {
    summary: summary(exchange),
    request: [
      `${request.method} ${visibleLine(request.path)} HTTP/1.1`,
      ...headerLines(request.headers),
      '',
      ...bodyLines(request.body, most),
    ],
    response: response
      ? [`HTTP/1.1 ${response.status}`, ...headerLines(response.headers), '', ...answerLines(exchange, most)]
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

/** Undefined if it is not UTF-8. */
export const requestBody = ({ request }: Exchange): string | undefined => textOf(request.body)

function headerLines(headers: Exchange['request']['headers']): string[] {
  return headers.map(([name, value]) => {
    const shown = secretHeaders.has(name.toLowerCase()) ? inPlaceOf(value) : visibleLine(shorten(value, 500))
    return `${visibleLine(name)}: ${shown}`
  })
}

/** The tokens that stand for secrets show where the same one was sent twice; nothing beside them is shown. */
function inPlaceOf(value: string): string {
  return value.match(/\[\[[\w:.-]+\]\]/g)?.join(' ') ?? '[hidden]'
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

/** The bytes as text, or undefined where they are not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
