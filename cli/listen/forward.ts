/** Posts a delivery on to a local server, and answers with what that one answers. */
import { Agent } from 'undici'
import type { InboundAnswer, Arrival } from '../../suites/inbound/place.ts'
import { namesUser } from '../../suites/wire/route.ts'
import type { Header } from '../../suites/wire/exchange.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

interface Forwarded {
  answer: InboundAnswer
  /** Why the local server did not answer; it is answered 502 then. */
  failure: string | null
}

/** Of one connection, and so not to be carried over to another one. */
const own = 'host connection keep-alive transfer-encoding content-length te trailer upgrade expect'.split(' ')

/** Bytes of an answer, which is held in memory as a whole: no sender reads as much. */
const answerMost = 16 * 1024 * 1024

export function createForwarder(address: string) {
  const url = addressOf(address)
  // HTTP/1.1 only, so that header names keep their casing.
  const agent = new Agent({ allowH2: false, maxResponseSize: answerMost })
  return {
    /** Never rejects. `signal` gives it up. */
    async forward({ method, headers, body, cut }: Arrival, signal: AbortSignal): Promise<Forwarded> {
      if (cut) return unreached('the body is too large')
      try {
        const answer = await agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers: carried(headers).flat(),
          body: body.length > 0 ? body : null,
          responseHeaders: 'raw',
          signal,
        })
        const bytes = await answer.body.bytes()
        const back = carried(headerPairs(answer.headers))
        return { answer: { status: answer.statusCode, headers: back, body: bytes }, failure: null }
      } catch (error) {
        // A sender that left needs no answer.
        if (signal.aborted) return { answer: 'hang', failure: null }
        // Without its query, in which there may be a token.
        return unreached(`${url.origin}${url.pathname}: ${codeOf(error)}`)
      }
    },
    close: () => agent.destroy(),
  }
}

const unreached = (failure: string): Forwarded => ({ answer: { status: 502 }, failure })

function addressOf(text: string): URL {
  const url = URL.parse(text)
  // The words leave the value out: it holds a password.
  if (url && namesUser(url))
    throw new UsageError('--forward: the address names a user; leave user and password out.')
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(`--forward ${text}: that is no address; give one such as http://localhost:3000/hooks.`)
}

/** Without what is of one connection alone. */
const carried = (headers: readonly Header[]): readonly Header[] =>
  headers.filter(([name]) => !own.includes(name.toLowerCase()))

/** Headers as pairs: with `responseHeaders: 'raw'` they are one flat list, whatever their type says. */
function headerPairs(raw: unknown): readonly Header[] {
  const flat: readonly unknown[] = Array.isArray(raw) ? raw : []
  return flat.flatMap((name, i) => (i % 2 === 0 ? [[String(name), String(flat[i + 1])] as const] : []))
}
