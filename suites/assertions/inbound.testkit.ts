/** Attempts made by hand, as they come to our receiver, for tests of judges. */
import { createHmac } from 'node:crypto'
import type { Exchange, FailureKind, Header } from '../wire/exchange.ts'
import { jsonAnswer } from './exchange.testkit.ts'

export const secret = 'whsec_c2VjcmV0IG9mIGEgZG91Ymxl'

export interface MadeAttempt {
  id?: string | null
  place?: string
  method?: string
  /** Milliseconds on the target's clock. */
  at?: number
  /** How long our answer took; milliseconds. */
  took?: number
  /** What we answered; null: nothing. Default 200. */
  status?: number | null
  failure?: FailureKind
  /** The body, as text or as JSON. */
  body?: unknown
  event?: string
  /** Instead of the right one; null: none. */
  signature?: string | null
  key?: string
  headers?: readonly Header[]
  /** Names of ordinary headers that are not there. */
  without?: readonly string[]
}

export const sample = {
  eventType: 'leads.submit',
  chatbotId: 'agent_1',
  timestamp: '2030-01-02T03:04:05.678Z',
  payload: { conversationId: 'c', customerEmail: 'zoe@example.com', customerName: 'Zoë' },
}

let count = 5000

/** A conforming live attempt, but for what is given. */
export function attempt(made: MadeAttempt = {}): Exchange {
  const { body = sample, method = 'POST', at = 0, took = 1, place = '/place', status = 200, failure } = made
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
  const without = (made.without ?? []).map((name) => name.toLowerCase())
  return {
    id: ++count,
    scenario: 'double',
    name: 'arrived',
    request: {
      method,
      path: place,
      headers: [
        ...ordinary(made, bytes).filter(([name]) => !without.includes(name.toLowerCase())),
        ...(made.headers ?? []),
      ],
      body: bytes,
      principal: null,
    },
    sentAt: at,
    endedAt: at + took,
    response: status === null ? null : { status, headers: [], at: at + took, chunks: [], complete: true },
    failure: failure ? { kind: failure, message: 'made by hand' } : null,
    inbound: { place, targetAt: at, targetEndedAt: at + took },
  }
}

export function signed(body: string | Uint8Array, key = secret): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
}

function ordinary(
  { id = 'whd_1', event = 'leads.submit', ...made }: MadeAttempt,
  bytes: Uint8Array,
): Header[] {
  const { signature = signed(bytes, made.key) } = made
  return [
    ['Content-Type', 'application/json'],
    ...(signature === null ? [] : ([['X-Service-Signature', signature]] as const)),
    ...(id === null ? [] : ([['X-Service-Delivery-Id', id]] as const)),
    ['X-Service-Event', event],
    ['User-Agent', 'Service-Webhooks/1.0'],
  ]
}

/** The answer to a creation. */
export function creation(secret_key: string = secret, agent = 'agent_1'): Exchange {
  const made = jsonAnswer({ id: 'wh_1', secret_key }, { name: 'hook', status: 201 })
  return { ...made, request: { ...made.request, path: `/api/agents/${agent}/webhooks` } }
}
