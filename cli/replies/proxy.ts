/** A proxy between a client and the service: forwards all bytes unchanged, and records chat turns. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import type { Service } from './service.ts'
import type { RecordedTurn } from './turn-response.ts'
import { objectIn } from './json.ts'

export interface ProxiedTurns {
  turns: readonly RecordedTurn[]
  /** API keys of clients, to be redacted. */
  keys: readonly string[]
}

/** Keeps turns in the order of their requests, not of their responses. */
interface Slot {
  turn: RecordedTurn | null
  /** No response yet. */
  open: boolean
}

/** Runs until `io.stopped`. Throws a UsageError if the port cannot be used. */
export async function runProxy(service: Service, port: number, io: Io): Promise<ProxiedTurns> {
  const slots: Slot[] = []
  const keys = new Set<string>()
  const server = createServer((request, response) => {
    response.sendDate = false
    const key = /^\s*Bearer\s+(\S+)/i.exec(request.headers.authorization ?? '')?.[1]
    if (key !== undefined) keys.add(key)
    const slot: Slot = { turn: null, open: true }
    if (request.method === 'POST' && chat.test(request.url ?? '')) slots.push(slot)
    void handle(service, request, response, io).then((turn) => {
      Object.assign(slot, { turn, open: false })
      if (turn && slots.includes(slot)) io.err(`turn ${slots.indexOf(slot) + 1}: ${turn.response.status}\n`)
    })
  })
  await listening(server.listen(port, '127.0.0.1'), port)
  const address = server.address()
  const own = typeof address === 'object' && address ? address.port : port
  io.err(
    `Listening at http://127.0.0.1:${own}: use this as the base URL of your client. Ctrl-C ends the recording.\n`,
  )
  if (!io.stopped.aborted) await once(io.stopped, 'abort')
  const open = slots.filter((slot) => slot.open).length
  if (open > 0) io.err(`Left out without a response: ${open} ${open === 1 ? 'turn' : 'turns'}.\n`)
  server.close()
  server.closeAllConnections()
  return { turns: slots.flatMap(({ turn }) => turn ?? []), keys: [...keys] }
}

/** Never rejects. Null for what is not a turn. */
async function handle(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  io: Io,
): Promise<RecordedTurn | null> {
  try {
    return await forward(service, request, response, io)
  } catch (error) {
    respondUnreachable(response, error, io)
    return null
  }
}

const chat = /^\/api\/v1\/chat\/[^/?]+/

async function listening(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(
      `--listen ${port}: cannot listen on this port (${codeOf(error)}); give another port.`,
    )
  }
}

/** Null if the body of the request is not a JSON object. */
async function forward(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  io: Io,
): Promise<RecordedTurn | null> {
  const body = Buffer.concat(await request.toArray())
  const sentAt = io.now()
  const left = new AbortController()
  response.once('close', () => left.abort())
  const { method = 'GET', url = '/', rawHeaders } = request
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
  )
  const received = await service.send(
    { method, path: url, headers, body, signal: left.signal },
    {
      head: (status, back) => {
        response.writeHead(status, back.flat())
        response.flushHeaders()
      },
      chunk: async (bytes) => {
        if (!response.write(bytes)) await Promise.race([once(response, 'drain'), once(response, 'close')])
      },
    },
  )
  // An incomplete body must not look complete.
  if (received.complete) response.end()
  else response.destroy()
  const members = objectIn(body.toString())
  return members ? { request: members, sentAt, response: received } : null
}

function respondUnreachable(response: ServerResponse, error: unknown, io: Io): void {
  if (response.closed) return
  io.err(`The service cannot be reached (${codeOf(error)}); the client gets a 502.\n`)
  if (!response.headersSent) response.writeHead(502, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: 'The recording proxy cannot reach the service.' }))
}
