/** Stands between a client and the service: bytes go both ways as they are, and chat turns are kept. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import type { Service } from './exchange.ts'
import type { Passed } from './heard.ts'
import { objectIn } from './json.ts'

export interface PassedOn {
  turns: readonly Passed[]
  /** API keys that clients sent: to be taken out, and nothing else. */
  keys: readonly string[]
}

/** A turn in its place, also where a later one is answered first. */
interface Place {
  passed: Passed | null
  /** Not answered yet. */
  open: boolean
}

/** Until `io.stopped`. Throws a UsageError where nobody can listen on the port. */
export async function passOn(service: Service, port: number, io: Io): Promise<PassedOn> {
  const places: Place[] = []
  const keys = new Set<string>()
  const server = createServer((request, response) => {
    response.sendDate = false
    const key = /^\s*Bearer\s+(\S+)/i.exec(request.headers.authorization ?? '')?.[1]
    if (key !== undefined) keys.add(key)
    const place: Place = { passed: null, open: true }
    if (request.method === 'POST' && chat.test(request.url ?? '')) places.push(place)
    void attend(service, request, response, io).then((passed) => {
      Object.assign(place, { passed, open: false })
      if (passed && places.includes(place))
        io.err(`turn ${places.indexOf(place) + 1}: ${passed.answer.status}\n`)
    })
  })
  await listening(server.listen(port, '127.0.0.1'), port)
  const address = server.address()
  const own = typeof address === 'object' && address ? address.port : port
  io.err(
    `Listening at http://127.0.0.1:${own}: give that to your client as its base URL. Ctrl-C ends the recording.\n`,
  )
  if (!io.stopped.aborted) await once(io.stopped, 'abort')
  const open = places.filter((place) => place.open).length
  if (open > 0) io.err(`Left out, because not answered yet: ${open} ${open === 1 ? 'turn' : 'turns'}.\n`)
  server.close()
  server.closeAllConnections()
  return { turns: places.flatMap(({ passed }) => passed ?? []), keys: [...keys] }
}

/** Never rejects; null where nothing came that could be a turn. */
async function attend(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  io: Io,
): Promise<Passed | null> {
  try {
    return await passed(service, request, response, io)
  } catch (error) {
    unreached(response, error, io)
    return null
  }
}

const chat = /^\/api\/v1\/chat\/[^/?]+/

async function listening(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(`--listen ${port}: nobody can listen there (${codeOf(error)}); give another port.`)
  }
}

/** Null: its body is no JSON object, so that it is no turn. */
async function passed(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  io: Io,
): Promise<Passed | null> {
  const body = Buffer.concat(await request.toArray())
  const sentAt = io.now()
  const left = new AbortController()
  response.once('close', () => left.abort())
  const { method = 'GET', url = '/', rawHeaders } = request
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
  )
  const answer = await service.send(
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
  // A body that broke off must not look like a whole one.
  if (answer.complete) response.end()
  else response.destroy()
  const asked = objectIn(body.toString())
  return asked ? { asked, sentAt, answer } : null
}

function unreached(response: ServerResponse, error: unknown, io: Io): void {
  if (response.closed) return
  io.err(`The service cannot be reached (${codeOf(error)}); the client is answered 502.\n`)
  if (!response.headersSent) response.writeHead(502, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: 'The service cannot be reached from where it is recorded.' }))
}
