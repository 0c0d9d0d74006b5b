/** Exchanges made by hand, for tests of judges. */
import { contractIdentifiers } from '../../spec/identifiers.ts'
import type { Exchange, FailureKind, Header } from '../wire/exchange.ts'

interface Made {
  name?: string
  status?: number
  headers?: readonly Header[]
  /** What was asked for: the body, and the headers beside it. */
  request?: unknown
  requestHeaders?: readonly Header[]
  failure?: FailureKind
  /** How long after its last byte the answer ended; milliseconds. */
  lingers?: number
}

export const replayHeader = contractIdentifiers.replayHeader.toLowerCase()

let count = 0

/** An answer with these bytes, which came in one read, one millisecond after the request. */
export function answer(body: string | Uint8Array, made: Made = {}): Exchange {
  const {
    name = 'turn',
    status = 200,
    headers = [],
    request = {},
    requestHeaders = [],
    failure,
    lingers = 0,
  } = made
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return {
    id: ++count,
    scenario: 'double',
    name,
    request: {
      method: 'POST',
      path: '/api/v1/chat/agent',
      headers: requestHeaders,
      body: new TextEncoder().encode(JSON.stringify(request)),
      principal: 'main',
    },
    sentAt: 0,
    endedAt: 1 + lingers,
    response: { status, headers, at: 1, chunks: [{ at: 1, bytes }], complete: failure === undefined },
    failure: failure === undefined ? null : { kind: failure, message: 'made by hand' },
  }
}

export function jsonAnswer(body: unknown, made: Made = {}): Exchange {
  return answer(JSON.stringify(body), { headers: [['content-type', 'application/json']], ...made })
}

export function streamAnswer(body: string | Uint8Array, made: Made = {}): Exchange {
  return answer(body, { headers: [['content-type', 'text/event-stream']], ...made })
}

export const reply = {
  response: 'Hello there',
  conversation_id: '0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f11',
  credits_used: 1,
  credits_remaining: 41,
}

/** Events as a conforming server frames them. */
export function frames(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

export const done = { type: 'done', ...reply }
