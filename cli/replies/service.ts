/** Sends requests to the service, and reports each response as it arrives. */
import { Agent } from 'undici'
import type { Received } from '../../suites/wire/exchange.ts'
import { baseUrlOption } from '../values.ts'
import { carried, headerPairs } from '../listen/forward.ts'

export interface Service {
  /** Sends to a path below the base address. `listener` gets the response as it arrives and may delay it. Rejects if there is no response. */
  send(request: Outgoing, listener?: ResponseListener): Promise<Received>
  close(): Promise<void>
}

export interface Outgoing {
  method: string
  path: string
  headers: readonly (readonly [string, string])[]
  body: Uint8Array
  signal: AbortSignal
}

export interface ResponseListener {
  head(status: number, headers: Received['headers']): void
  chunk(bytes: Uint8Array): Promise<void> | void
}

/** Throws a UsageError for an invalid base URL. `now`: milliseconds. */
export function createService(address: string, now: () => number): Service {
  const url = new URL(baseUrlOption(address))
  const prefix = url.pathname.replace(/\/$/, '')
  // Timeouts are up to the client.
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0 })
  return {
    async send({ method, path, headers, body, signal }, listener) {
      const answer = await agent.request({
        origin: url.origin,
        path: `${prefix}${path}`,
        method,
        headers: carried(headers).flat(),
        body: body.length > 0 ? body : null,
        responseHeaders: 'raw',
        signal,
      })
      const back = carriedBack(headerPairs(answer.headers))
      const received: Received = {
        status: answer.statusCode,
        headers: back,
        at: now(),
        chunks: [],
        complete: false,
      }
      listener?.head(answer.statusCode, back)
      const chunks: Received['chunks'][number][] = []
      const complete = await (async () => {
        for await (const bytes of answer.body) {
          const read = new Uint8Array(bytes)
          chunks.push({ at: now(), bytes: read })
          await listener?.chunk(read)
        }
        return true
      })().catch(() => false)
      return { ...received, chunks, complete }
    },
    close: () => agent.destroy(),
  }
}

/** Without hop-by-hop headers. Content-Length stays: the body is unchanged. */
function carriedBack(headers: Received['headers']): Received['headers'] {
  const own = ['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade']
  return headers.filter(([name]) => !own.includes(name.toLowerCase()))
}
