/** The journal of a run: its exchanges, with bodies as bytes when they are asked for. */
import type { Chunk, Exchange } from '../../reports/bundle/exchange.ts'
import { admitted, authorization } from '../state/api.ts'

/** In a line: text, base64 of what is not UTF-8, or the digest of a larger body, which is in `evidence/`. */
type StoredBody = string | { base64: string } | { evidence: string; bytes: number }

type Received = NonNullable<Exchange['response']>

export interface RecordedExchange extends Omit<Exchange, 'request' | 'response'> {
  readonly request: Omit<Exchange['request'], 'body'> & { readonly body: StoredBody }
  readonly response:
    | (Omit<Received, 'chunks'> & { readonly chunks: readonly { at: number; body: StoredBody }[] })
    | null
}

/** A file of the run. Rejects with what the server says. */
export async function fileOf(name: string): Promise<Response> {
  return admitted(await fetch(`/${name}`, { headers: authorization() }))
}

/** Exchanges in the order sent, and the numbers of the lines that are no lines of a journal. */
export function exchangesIn(journal: string): {
  exchanges: readonly RecordedExchange[]
  unreadable: readonly number[]
} {
  const exchanges: RecordedExchange[] = []
  const unreadable: number[] = []
  journal.split('\n').forEach((line, at) => {
    if (line === '') return
    try {
      const { exchange } = JSON.parse(line) as { exchange?: RecordedExchange }
      if (exchange) exchanges.push(exchange)
    } catch {
      unreadable.push(at + 1)
    }
  })
  return { exchanges: exchanges.sort((one, other) => one.id - other.id), unreadable }
}

const textOf = (body: StoredBody): string => (typeof body === 'string' ? body : '')

/** Path, headers and what is text in the line: what a search looks through. */
export function exchangeText(exchange: RecordedExchange | undefined): string {
  if (!exchange) return ''
  const { request, response } = exchange
  const heads = [...request.headers, ...(response?.headers ?? [])].map((header) => header.join(': '))
  const received = (response?.chunks ?? []).map(({ body }) => textOf(body)).join('')
  return [`${request.method} ${request.path}`, ...heads, textOf(request.body), received].join('\n')
}

async function bytesOf(body: StoredBody): Promise<Uint8Array> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if ('base64' in body) return Uint8Array.from(atob(body.base64), (character) => character.charCodeAt(0))
  return new Uint8Array(await (await fileOf(`evidence/${body.evidence}`)).arrayBuffer())
}

/** Both bodies, as parts that arrived by themselves. Rejects if one cannot be read. */
export async function bodiesOf({ request, response, sentAt }: RecordedExchange): Promise<{
  sent: readonly Chunk[]
  received: readonly Chunk[]
}> {
  return {
    sent: [{ at: sentAt, bytes: await bytesOf(request.body) }],
    received: await Promise.all(
      (response?.chunks ?? []).map(async ({ at, body }) => ({ at, bytes: await bytesOf(body) })),
    ),
  }
}

export interface StreamEvent {
  readonly at: number
  readonly type: string
  readonly data: string
}

/** The events of a stream, each with the time at which its line had arrived; none of another body. */
export function eventsIn({ response }: RecordedExchange, chunks: readonly Chunk[]): readonly StreamEvent[] {
  const type = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (!/^text\/event-stream\b/i.test(type)) return []
  const decoder = new TextDecoder()
  const events: StreamEvent[] = []
  let line = ''
  for (const { at, bytes } of chunks) {
    const lines = `${line}${decoder.decode(bytes, { stream: true })}`.split(/[\r\n]/)
    line = lines.pop() ?? ''
    for (const one of lines) {
      const [, data] = /^data:? ?(.*)/.exec(one) ?? []
      if (data !== undefined) events.push({ at, data, type: typeIn(data) })
    }
  }
  return events
}

function typeIn(data: string): string {
  try {
    const { type } = JSON.parse(data) as { type?: unknown }
    return typeof type === 'string' ? type : 'no type'
  } catch {
    return 'not JSON'
  }
}
