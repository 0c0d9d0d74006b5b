/**
 * Who may read the runs: the page that was opened with the printed address, and nobody else. A run has what a target
 * sent, so neither another program of this machine nor a page of another site may read it.
 *
 * Any program of the machine can connect to the port, and any site can make a browser send a request to it: the address
 * therefore has a random token. It is behind `#`, which a browser never sends, so that no log, `Referer` or server has
 * it, and the page sends it as `Authorization`. It is no cookie, because a browser sends cookies of `127.0.0.1` to
 * every port there, whoever listens on it.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface RequestRefusal {
  status: number
  error: string
}

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()

/**
 * Null where the request is made under our own address and by no other page. A site can let its name point to 127.0.0.1
 * and is then, to a browser, of one origin with this server; the name is still in `Host`.
 */
export function refusedPlace({ headers }: IncomingMessage, port: number): RequestRefusal | null {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return {
      status: 403,
      error: 'Runs are shown under 127.0.0.1 and localhost only: open the printed address.',
    }
  const isOwn =
    (origin === undefined || origin === `http://${host}`) && ['none', 'same-origin'].includes(site)
  return isOwn
    ? null
    : { status: 403, error: 'No page of another origin may read runs: open the printed address.' }
}

export interface ShowSession {
  token: string
  /** A code that is exchanged for the token once, soon. */
  code(): string
  /** The token; null for a code that was not given, or was used. */
  redeem(code: string): string | null
}

const secret = (): string => randomBytes(32).toString('base64url')
/** From the start of a browser to its first request. */
const codeMs = 60_000

/**
 * Other users of the machine can read the command line of a browser for as long as it runs: the address that one is
 * started with has a code instead of the token, which is of no use to whoever reads it later.
 */
export function createSession(now: () => number): ShowSession {
  const codes = new Map<string, number>()
  return {
    token: secret(),
    code() {
      const code = secret()
      codes.set(code, now() + codeMs)
      return code
    },
    redeem(code) {
      const expires = codes.get(code) ?? 0
      codes.delete(code)
      return now() < expires ? this.token : null
    },
  }
}

/** Null where the request has the token. */
export function refusedToken({ headers }: IncomingMessage, token: string): RequestRefusal | null {
  const [, given = ''] = /^Bearer (.*)$/.exec(headers.authorization ?? '') ?? []
  // Digests have one length, and are compared whole.
  if (timingSafeEqual(digest(given), digest(token))) return null
  return { status: 401, error: 'The token of this session is missing or wrong: open the printed address.' }
}
