/** A small chat service for tests of the engine: just enough behaviour to be judged, with knobs. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { undeclared } from '../config/defaults.ts'
import type { Target } from '../config/target.ts'

export interface Double {
  target: Target
  /** Requests: method, path, headers and body. */
  seen: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[]
  close(): Promise<void>
}

export interface Answer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

type Ask = Double['seen'][number]

/** Answers every turn 200 and a key that it knows with a replay, unless `answer` has something else to say. */
export async function serviceDouble(answer: (ask: Ask) => Answer | null = () => null): Promise<Double> {
  const seen: Ask[] = []
  const replies = new Map<string, unknown>()
  let left = 1000

  function ordinary({ body }: Ask): Answer {
    const { message, idempotency_key: key } = parsed(body)
    if (typeof message !== 'string') return { status: 400, body: { error: 'a message is required' } }
    if (typeof key !== 'string') return { status: 400, body: { error: 'IDEMPOTENCY_KEY_REQUIRED' } }
    const known = replies.get(key)
    if (known) return { status: 200, body: known, headers: { 'x-service-idempotent-replay': 'true' } }
    const conversation_id = '0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f11'
    const reply = {
      response: `You said ${message}`,
      conversation_id,
      credits_used: 1,
      credits_remaining: --left,
    }
    replies.set(key, reply)
    return { status: 200, body: reply }
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const ask = { method, path, headers, body: Buffer.concat(chunks).toString() }
      seen.push(ask)
      const { status, body, headers: more = {} } = answer(ask) ?? ordinary(ask)
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    target: targetDouble(`http://127.0.0.1:${port}`),
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parsed(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** A target with one ordinary key and generous budgets. */
export function targetDouble(baseUrl = 'http://127.0.0.1:1'): Target {
  const main = { name: 'main', bearer: 'sk-main', account: 'one', sacrificial: false } as const
  return {
    ...undeclared,
    name: 'double',
    kind: 'staging',
    baseUrl,
    principals: [{ ...main, scopes: ['chat', 'billing_read'], agents: '*' }],
    agents: { plain: 'agent-plain' },
    budgets: { requests: 500, turns: 500, credits: 500, wallSeconds: 60, requestsPerMinute: 1000 },
    exclusiveCredits: true,
    timing: { clock: 'real', answerTimeoutMs: 2_000 },
  }
}
