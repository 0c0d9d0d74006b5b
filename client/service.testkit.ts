/** A service that answers what a test wrote down, one answer after another, over real sockets. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ServiceClient } from './service-client.ts'
import type { ServiceClientOptions } from './options/options.ts'

export interface Met {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** Of the JSON; empty where there was none, or the body is something else. */
  readonly body: Readonly<Record<string, unknown>>
  /** Resolves when the connection of the request has gone away, or its answer is whole. */
  readonly closed: Promise<void>
}

export interface Scripted {
  status?: number
  headers?: Readonly<Record<string, string>>
  /** JSON, unless it is a text. */
  body?: unknown
  /** Written one after another instead of a body, each on its own. */
  parts?: readonly (string | Uint8Array)[]
  /** How it ends; default: as it should. `never`: it does not. */
  end?: 'reset' | 'never'
}

export interface ServiceDouble {
  readonly url: string
  readonly met: readonly Met[]
  /** Resolves when the next request has come in whole. */
  next(): Promise<void>
  client(options?: Partial<ServiceClientOptions>): ServiceClient
  close(): Promise<void>
}

export const apiKey = 'sk-test-0123456789'

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

async function run(
  { status = 200, headers = {}, body, parts, end }: Scripted,
  response: ServerResponse,
): Promise<void> {
  const type = parts ? 'text/event-stream' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  for (const part of parts ?? [typeof body === 'string' ? body : JSON.stringify(body ?? {})]) {
    response.write(part)
    await turn()
  }
  if (end === 'reset') response.socket?.resetAndDestroy()
  else if (end !== 'never') response.end()
}

const unscripted: Scripted = { status: 500, body: { error: 'This request was not expected.' } }

export async function openService(...answers: readonly Scripted[]): Promise<ServiceDouble> {
  const met: Met[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    const closed = new Promise<void>((resolve) => void response.once('close', resolve))
    void textOf(request).then((text) => {
      const { method = '', url: path = '', headers } = request
      const isJson = headers['content-type']?.startsWith('application/json')
      const body = isJson ? (JSON.parse(text) as Met['body']) : {}
      met.push({ method, path, headers, text, body, closed })
      for (const came of waiting.splice(0)) came()
      return run(answers[met.length - 1] ?? unscripted, response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    met,
    next: () => new Promise((resolve) => void waiting.push(resolve)),
    client: (options = {}) => new ServiceClient({ apiKey, baseUrl: url, ...options }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

/** A reply as the contract shows it. */
export const wireReply = {
  response: 'It is on its way.',
  conversation_id: '0190b4c2-7a51-7c3e-9d52-3f6f1c0a8e11',
  credits_used: 1,
  credits_remaining: 97,
}

export const turnOne = { agentId: 'agent_1', message: 'Where is my order?', idempotencyKey: 'order-1-turn-1' }
