/** Serves the page, and what it reads of the named runs, on a loopback address. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import { codeOf } from '../../reports/bundle/errors.ts'
import { safeHeaders } from '../../simulator/server/safe-headers.ts'
import { consoleFiles } from '../console/files.ts'
import { pageHeaders } from '../console/routes.ts'
import { exitCodes, failedCommand } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'
import { createSession, refusedPlace, refusedToken, type RequestRefusal, type ShowSession } from './guard.ts'
import { openedRuns, type ShownRuns } from './opened-runs.ts'
import type { LiveFeed } from './live/feed.ts'
import { sendFeed } from './live/stream.ts'
import { readBody } from './routes/body.ts'
import { RefusedRequest } from './routes/refused-request.ts'
import { showRoutes, type ShowRoute } from './routes/routes.ts'
import { sessionOf } from './routes/session.ts'

export interface RunServer {
  /** With the token. */
  url: string
  /** For a browser that is started with it: with a code that counts once. */
  launchUrl(): string
  close(): Promise<void>
}

const host = '127.0.0.1'

/** Throws a UsageError if the port is taken. */
export async function serveRuns(shown: ShownRuns, port: number): Promise<RunServer> {
  const session = createSession(() => performance.now())
  const respond = responder(shown, session)
  const server = createServer((request, response) => void respond(request, response))
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(`--port ${port}: cannot listen there (${codeOf(error)}); give another port, or 0.`)
  }
  const { port: used } = server.address() as AddressInfo
  const origin = `http://${host}:${used}`
  return {
    url: `${origin}/#token=${session.token}`,
    launchUrl: () => `${origin}/#code=${session.code()}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

interface Answer {
  status: number
  headers: readonly (readonly [string, string])[]
  body: string | Uint8Array
}

const json = (status: number, value: unknown): Answer => ({
  status,
  headers: [...safeHeaders, ['Content-Type', 'application/json']],
  body: JSON.stringify(value),
})
const refused = ({ status, error }: RequestRefusal): Answer => json(status, { error })

function responder(shown: ShownRuns, session: ShowSession) {
  const tree = findMyWay({ maxParamLength: 500 })
  for (const route of Object.values(showRoutes))
    tree.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, route)
  const runs = openedRuns(shown)

  const answer = async (request: IncomingMessage): Promise<Answer | LiveFeed> => {
    const { url = '/', method = '' } = request
    const [path = '', search] = url.split('?')
    const elsewhere = refusedPlace(request, request.socket.localPort ?? 0)
    if (elsewhere) return refused(elsewhere)
    const isRead = method === 'GET'
    if (isRead && !path.startsWith('/api/')) return fileAt(path)
    if (isRead && path === sessionPath)
      return tokenFor(new URLSearchParams(search).get('code') ?? '', session)
    const stranger = refusedToken(request, session.token)
    if (stranger) return refused(stranger)
    if (isRead && path === feedPath) return sessionOf(runs).feed
    const found = tree.find(method as HTTPMethod, path)
    if (!found) return refused(noRoute(method, path, tree.find('GET', path) !== null))
    const { status, handle } = found.store as ShowRoute
    const body = isRead ? undefined : await readBody(request)
    return json(status, await handle(runs, { path: found.params, query: new URLSearchParams(search), body }))
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const found = await answer(request).catch(failed)
    if ('after' in found) return sendFeed(found, Number(request.headers['last-event-id'] ?? 0) || 0, response)
    response.writeHead(found.status, Object.fromEntries(found.headers))
    response.end(found.body)
  }
}

const sessionPath = '/api/session'
const feedPath = '/api/live/events'

const noRoute = (method: string, path: string, isRead: boolean): RequestRefusal =>
  isRead
    ? { status: 405, error: `${path} is only read: use GET instead of ${method}.` }
    : { status: 404, error: `${method} ${path}: no such route; spec/show.yaml lists them.` }

function tokenFor(code: string, session: ShowSession): Answer {
  const token = session.redeem(code)
  return token === null
    ? refused({ status: 401, error: 'The code was used, or is too old: open the printed address.' })
    : json(200, { token })
}

/** What cannot be read is no failure of the server. */
function failed(error: unknown): Answer {
  if (error instanceof RefusedRequest) return refused({ status: error.status, error: error.message })
  if (error instanceof Error && failedCommand(error).exitCode !== exitCodes.ourFault)
    return refused({ status: 422, error: error.message })
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return refused({ status: 500, error: `Internal error of Touchstone, please report it: ${text}` })
}

/** The page needs no token: it has nothing of a run. */
function fileAt(path: string): Answer {
  const file = consoleFiles().get(path === '/' ? 'run.html' : path.slice(1))
  if (!file) return refused({ status: 404, error: `${path}: there is no such file; load the page again.` })
  return { status: 200, headers: [...pageHeaders, ['Content-Type', file.type]], body: file.bytes }
}
