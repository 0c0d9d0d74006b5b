/** Passes a request on to the replica that runs its tenant, and the answer back as it comes. */
import {
  Agent,
  request as begin,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { headerValues } from '../server/call.ts'
import type { Incoming } from '../server/http-server.ts'
import type { HeaderLine } from '../server/reply.ts'
import { breathe, type MachineTime } from '../tenant/clock/machine-time.ts'

/**
 * Names a request that comes from another replica. Whoever gets one answers it or says 421, and never passes it on, so
 * that no request goes round in circles. It gives its sender nothing: no right, no other tenant, no other route; a
 * client that sends it itself may at worst get the 421. A tenant never sees it.
 */
export const hopHeader = 'x-touchstone-hop'

/**
 * `answered`: whatever became of it, the client has it. `misdirected`: the replica does not own the tenant.
 * `unreachable`: it did not take the request. In both nothing was begun, and the request may be sent elsewhere.
 */
export type ForwardResult = 'answered' | 'misdirected' | 'unreachable'

/** Between two connections only, as HTTP has it. */
const hopByHop = new Set([
  'connection',
  // Whoever reads the body answers it, and that was here.
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  hopHeader,
])

const endToEnd = (headers: readonly HeaderLine[]): readonly HeaderLine[] => {
  const named = headerValues({ headers }, 'connection').flatMap((value) =>
    value.toLowerCase().split(/\s*,\s*/),
  )
  return headers.filter(([name]) => !hopByHop.has(name.toLowerCase()) && !named.includes(name.toLowerCase()))
}

const flat = (headers: readonly HeaderLine[]): string[] => headers.flat()

function pairs(raw: readonly string[]): readonly HeaderLine[] {
  return Array.from({ length: raw.length / 2 }, (_, i): HeaderLine => [
    raw[2 * i] ?? '',
    raw[2 * i + 1] ?? '',
  ])
}

/** How a body is announced: as it was, or by its length where it came in chunks or was too large to be read. */
function bodyHeaders(call: Incoming): readonly HeaderLine[] {
  if (headerValues(call, 'content-length').length > 0) return []
  if (call.tooLarge) return [['Content-Length', `${Number.MAX_SAFE_INTEGER}`]]
  return call.body.length > 0 || headerValues(call, 'transfer-encoding').length > 0
    ? [['Content-Length', `${call.body.length}`]]
    : []
}

export interface RequestForwarder {
  forward(address: string, call: Incoming, response: ServerResponse): Promise<ForwardResult>
  close(): void
}

/** `acceptMs`: how long a replica has to say that it took a request. */
export function createRequestForwarder(
  replica: string,
  machine: MachineTime,
  acceptMs: number,
): RequestForwarder {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 })
  return {
    forward: (address, call, response) =>
      new Promise((resolve) => {
        const { hostname, port } = new URL(address)
        const headers: HeaderLine[] = [...endToEnd(call.headers), ...bodyHeaders(call), [hopHeader, replica]]
        const upstream = begin({
          // What was announced of a body does not come: nothing else goes over that connection.
          agent: call.tooLarge ? false : agent,
          hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
          port,
          method: call.method,
          path: call.path,
          headers: flat(headers),
        })
        const waited = machine.after(acceptMs, () => upstream.destroy())
        passBack(upstream, response, waited, (forwarded) => {
          waited()
          resolve(forwarded)
        })
        upstream.end(call.body)
      }),
    close: () => agent.destroy(),
  }
}

/**
 * A replica says with 102 that it took the request. One that breaks off before did nothing of it; one that breaks off
 * after is the tenant breaking off, or its replica dying, and the client meets what it would have met there.
 */
function passBack(
  upstream: ClientRequest,
  response: ServerResponse,
  accepted: () => void,
  done: (how: ForwardResult) => void,
): void {
  let taken = false
  const gone = (): void => {
    if (!response.writableFinished) upstream.destroy()
  }
  response.once('close', gone)
  upstream.on('information', ({ statusCode }) => {
    if (statusCode !== 102) return
    taken = true
    accepted()
  })
  upstream.once('response', (answer) => {
    if (answer.statusCode === 421 && !taken) {
      answer.resume()
      response.off('close', gone)
      return done('misdirected')
    }
    taken = true
    passOn(answer, response)
    done('answered')
  })
  upstream.on('error', () => undefined)
  upstream.once('close', () => {
    if (taken || response.destroyed) {
      if (!response.headersSent) response.destroy()
      return done('answered')
    }
    response.off('close', gone)
    done('unreachable')
  })
}

function passOn(answer: IncomingMessage, response: ServerResponse): void {
  const headers = pairs(answer.rawHeaders)
  const closes = headerValues({ headers }, 'connection').some((value) => value.toLowerCase() === 'close')
  response.sendDate = false
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, [
    ...flat(endToEnd(headers)),
    ...(closes ? ['Connection', 'close'] : []),
  ])
  answer.on('data', (chunk: Uint8Array) => {
    if (response.write(chunk)) return
    answer.pause()
    response.once('drain', () => answer.resume())
  })
  answer.on('end', () => response.end())
  answer.on('error', () => undefined)
  answer.on('close', () => {
    if (!answer.complete) void breakAfterRest(response)
  })
  // Where nothing of the body comes with them, the headers go ahead.
  void breathe().then(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders()
  })
}

/** What came before the break goes out first. */
async function breakAfterRest(response: ServerResponse): Promise<void> {
  do await breathe()
  while (!response.destroyed && response.writableLength > 0)
  response.destroy()
}
