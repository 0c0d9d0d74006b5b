/** `touchstone show`: serves the pages of a run until a signal stops it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { recordFile } from '../../bundle/names.ts'
import { browsedPage, type BrowsedRun } from '../../reports/run/browse.ts'
import { safeHeaders } from '../../simulator/edge/reply.ts'
import { besideIn, openEarlier } from '../diff/diff.ts'
import type { ShowOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { aborted, systemReason } from '../values.ts'

/**
 * Serves a run as pages on a loopback address, to those who have the printed address. Any program of the machine can
 * connect to the port, and any site can make a browser send a request to it: the address therefore has a random token.
 * It is no cookie, because a browser sends cookies of 127.0.0.1 to every port there. The only script of a page copies commands.
 */

export interface RunServer {
  url: string
  /** For a browser that is started with it: with a code that counts once, within a minute. */
  launchUrl(): string
  close(): Promise<void>
}

const host = '127.0.0.1'
/** From the start of a browser to its first request. */
const codeMs = 60_000
const secret = (): string => randomBytes(32).toString('base64url')

/** Throws a UsageError if the port is taken. */
export async function serveRun(shown: BrowsedRun, port: number): Promise<RunServer> {
  const token = secret()
  /** By code, when it ends: other users of the machine can read the command line of a browser, and so no token there. */
  const codes = new Map<string, number>()
  const server = createServer((request, response) => {
    const { status, body, headers } = answerTo(request, { shown, token, codes })
    response.writeHead(status, [...pageHeaders, ...headers].flat())
    response.end(body)
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(
      `--port ${port}: cannot listen there (${systemReason(error)}); give another port, or 0.`,
    )
  }
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/${token}/`,
    launchUrl() {
      const code = secret()
      codes.set(code, performance.now() + codeMs)
      return `${origin}/code/${code}`
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** The policy of a page stands in the page. */
const pageHeaders = safeHeaders.map(([name, value]) =>
  name === 'Content-Security-Policy' ? [name, "frame-ancestors 'none'"] : [name, value],
)

interface Session {
  shown: BrowsedRun
  token: string
  codes: Map<string, number>
}

function answerTo(request: IncomingMessage, { shown, token, codes }: Session) {
  const reply = (status: number, type: string, body: string, more: readonly string[][] = []) => ({
    status,
    body,
    headers: [['Content-Type', `text/${type}; charset=utf-8`], ...more],
  })
  const refuse = (status: number, error: string) => reply(status, 'plain', `${error}\n`)
  const { pathname = '', searchParams } = URL.parse(request.url ?? '/', `http://${host}`) ?? {}
  const isElsewhere = refusedPlace(request)
  if (isElsewhere !== null) return refuse(403, isElsewhere)
  if (request.method !== 'GET') return refuse(405, 'A run is only read: use GET.')
  const [, given = '', view = '', ...more] = pathname.split('/')
  if (given === 'code') {
    const ends = codes.get(view) ?? 0
    codes.delete(view)
    return performance.now() < ends
      ? reply(303, 'plain', '', [['Location', `/${token}/`]])
      : refuse(401, 'The code was used, or is too old: open the printed address.')
  }
  // Digests have one length, and are compared whole.
  if (!timingSafeEqual(digest(given), digest(token)))
    return refuse(401, 'The token of this session is missing or wrong: open the printed address.')
  const page = more.length > 0 ? null : browsedPage(shown, view, searchParams ?? new URLSearchParams())
  return page === null ? refuse(404, 'The run has no such page.') : reply(200, 'html', page)
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

/** Returns the exit code after the server stopped. Throws a UsageError for a folder without a finished run. */
export async function show(folder: string, options: ShowOptions, io: Io): Promise<number> {
  if (!existsSync(join(folder, recordFile)))
    throw new UsageError(
      `${folder} has no ${recordFile}: give a folder that a check wrote to, such as touchstone-report; \`touchstone report\` reads a run that was cut off.`,
    )
  const opened = openEarlier(folder)
  const server = await serveRun({ run: opened.run, beside: besideIn(folder, opened) }, options.port)
  io.out(
    options.json
      ? `${JSON.stringify({ url: server.url, folder })}\n`
      : `${folder} is shown at\n  ${server.url}\n\nThe address has the token of this session: do not pass it on. Ctrl-C stops it.\n`,
  )
  if (options.open ?? (io.live && !options.json)) {
    const { openBrowser } = await import('../process-io.ts')
    // A machine without a browser is no error, unless one was asked for.
    if (!(await openBrowser(server.launchUrl())) && options.open)
      io.err('--open: no browser was found; open the address above.\n')
  }
  await aborted(io.stopped)
  await server.close()
  return exitCodes.ok
}
