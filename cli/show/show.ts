/** `touchstone show`: serves the page of a run until a signal stops it. */
import { existsSync, createReadStream, lstatSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { recordFile } from '../../reports/bundle/names.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../../reports/bundle/errors.ts'
import { safeHeaders } from '../../simulator/server/safe-headers.ts'
import { consoleFiles, pageHeaders } from '../console/routes.ts'

/**
 * Serves the page, and the files of one run that it reads, on a loopback address: to the page that was opened with the
 * printed address, and to nobody else. Any program of the machine can connect to the port, and any site can make a
 * browser send a request to it: the address therefore has a random token. It is behind `#`, which a browser never sends,
 * so that no log or `Referer` has it. It is no cookie, because a browser sends cookies of 127.0.0.1 to every port there.
 */

export interface RunServer {
  /** With the token. */
  url: string
  /** For a browser that is started with it: with a code that counts once, within a minute. */
  launchUrl(): string
  close(): Promise<void>
}

interface Session {
  token: string
  /** By code, when it ends. Other users of the machine can read the command line of a browser, and so no token there. */
  codes: Map<string, number>
}

const host = '127.0.0.1'
/** From the start of a browser to its first request. */
const codeMs = 60_000
const files = /^\/(run\.json|journal\.ndjson|evidence\/[0-9a-f]{64})$/
const secret = (): string => randomBytes(32).toString('base64url')

/** Throws a UsageError if the port is taken. */
export async function serveRun(folder: string, port: number): Promise<RunServer> {
  const session: Session = { token: secret(), codes: new Map() }
  const server = createServer((request, response) => void answer(folder, session, request, response))
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(`--port ${port}: cannot listen there (${codeOf(error)}); give another port, or 0.`)
  }
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/#token=${session.token}`,
    launchUrl() {
      const code = secret()
      session.codes.set(code, performance.now() + codeMs)
      return `${origin}/#code=${code}`
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  folder: string,
  session: Session,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, body: object): void => {
    response.writeHead(status, [...safeHeaders, ['Content-Type', 'application/json']].flat())
    response.end(JSON.stringify(body))
  }
  const refuse = (status: number, error: string): void => send(status, { error })
  const { pathname = '', searchParams } = URL.parse(request.url ?? '/', `http://${host}`) ?? {}
  const isElsewhere = refusedPlace(request)
  if (isElsewhere !== null) return refuse(403, isElsewhere)
  if (request.method !== 'GET') return refuse(405, `${pathname} is only read: use GET.`)
  // The page needs no token: it has nothing of a run.
  const page = consoleFiles().get(pathname === '/' ? 'run.html' : pathname.slice(1))
  if (page) {
    response.writeHead(200, [...pageHeaders, ['Content-Type', page.type]].flat())
    return void response.end(page.bytes)
  }
  if (pathname === '/session') {
    const code = searchParams?.get('code') ?? ''
    const ends = session.codes.get(code) ?? 0
    session.codes.delete(code)
    if (performance.now() < ends) return send(200, { token: session.token })
    return refuse(401, 'The code was used, or is too old: open the printed address.')
  }
  const [, given = ''] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? []
  // Digests have one length, and are compared whole.
  if (!timingSafeEqual(digest(given), digest(session.token)))
    return refuse(401, 'The token of this session is missing or wrong: open the printed address.')
  const [, file] = files.exec(pathname) ?? []
  if (file === undefined) return refuse(404, `${pathname} is no file that the page reads.`)
  try {
    const path = join(folder, file)
    // A link may lead out of the folder.
    const isLinked = file.startsWith('evidence/') && lstatSync(dirname(path)).isSymbolicLink()
    if (isLinked || !lstatSync(path).isFile())
      throw Object.assign(new Error(`${file} is no plain file`), { code: 'no plain file' })
    const stream = createReadStream(path)
    await once(stream, 'open')
    response.writeHead(200, [...safeHeaders, ['Content-Type', 'application/octet-stream']].flat())
    await pipeline(stream, response)
  } catch (error) {
    if (response.headersSent) response.destroy()
    else refuse(404, `${file} cannot be read (${codeOf(error)}).`)
  }
}

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()

/**
 * Why a request is refused that was not made under our own address, or by another page. A site can let its name point
 * to 127.0.0.1 and is then, to a browser, of one origin with this server; the name is still in `Host`.
 */
function refusedPlace({ headers, socket }: IncomingMessage): string | null {
  const { host: named = '', origin, 'sec-fetch-site': site = 'none' } = headers
  if (![host, 'localhost'].some((name) => named === `${name}:${socket.localPort}`))
    return 'Runs are shown under 127.0.0.1 and localhost only: open the printed address.'
  const isOwn = origin === undefined || origin === `http://${named}`
  return isOwn && ['none', 'same-origin'].includes(site)
    ? null
    : 'No page of another origin may read runs: open the printed address.'
}

export interface ShowCommandOptions {
  port: number
  open?: boolean
  json?: true
}

/** Returns the exit code after the server stopped. Throws a UsageError for a folder without a finished run. */
export async function show(folder: string, options: ShowCommandOptions, io: Io): Promise<number> {
  if (!existsSync(join(folder, recordFile)))
    throw new UsageError(
      `${folder} has no ${recordFile}: give a folder that a check wrote to, such as touchstone-report; \`touchstone report\` reads a run that was cut off.`,
    )
  const server = await serveRun(folder, options.port)
  io.out(
    options.json
      ? `${JSON.stringify({ url: server.url, folder })}\n`
      : `${folder} is shown at\n  ${server.url}\n\nThe address has the token of this session: do not pass it on. Ctrl-C stops it.\n`,
  )
  if (options.open ?? (io.live && !options.json)) {
    const { openBrowser } = await import('../console/open-browser.ts')
    // A machine without a browser is no error, unless one was asked for.
    if (!(await openBrowser(server.launchUrl())) && options.open)
      io.err('--open: no browser was found; open the address above.\n')
  }
  await new Promise<void>((resolve) => {
    if (io.stopped.aborted) resolve()
    else io.stopped.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.close()
  return exitCodes.ok
}
