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

/** Whether the replica owns the tenant of a request still. */
export type IsOwner = () => Promise<boolean>

/** A tenant, and the address of the replica that owns it. */
export interface ForwardPlace {
  readonly tenant: string
  readonly address: string
}

export interface RequestForwarder {
  forward(
    place: ForwardPlace,
    call: Incoming,
    response: ServerResponse,
    isOwner: IsOwner,
  ): Promise<ForwardResult>
  close(): void
}

export interface ForwarderOptions {
  /** Of this replica. */
  readonly id: string
  readonly machine: MachineTime
  /** How often the ownership of a replica is looked up that has not taken a request yet, in ms. */
  readonly acceptMs: number
  /** How long a connection may take to open, in ms. */
  readonly connectMs: number
}

/**
 * Gives a request up whose replica lost the tenant, or cannot be connected to. One that is busy takes it late, and may
 * not get it twice. Call the result to end this.
 */
function watchAcceptance(
  upstream: ClientRequest,
  { machine, acceptMs, connectMs }: ForwarderOptions,
  isOwner: IsOwner,
): () => void {
  const connectUntil = machine.elapsed() + connectMs
  let forget = (): void => undefined
  let over = false
  const look = async (): Promise<void> => {
    const isConnecting = upstream.socket?.connecting ?? true
    const waits = (!isConnecting || machine.elapsed() < connectUntil) && (await isOwner().catch(() => false))
    if (over) return
    if (waits) again()
    else upstream.destroy()
  }
  const again = (): void => void (forget = machine.after(acceptMs, () => void look()))
  again()
  return () => {
    over = true
    forget()
  }
}

/**
 * Connections of each tenant are its own: a replica that many connect to accepts new ones late, and one tenant must not
 * use up those of the others.
 */
class TenantAgent extends Agent {
  constructor() {
    super({ keepAlive: true, maxFreeSockets: 256, timeout: idleMs })
  }

  override getName(options?: Parameters<Agent['getName']>[0] & Partial<ForwardPlace>): string {
    return `${super.getName(options)}:${options?.tenant}`
  }
}

/** How long a connection without a request is kept, in ms. */
const idleMs = 10_000

function requestOptions(agent: Agent, { tenant, address }: ForwardPlace, call: Incoming, id: string) {
  const { hostname, port } = new URL(address)
  const headers: HeaderLine[] = [...endToEnd(call.headers), ...bodyHeaders(call), [hopHeader, id]]
  return {
    // What was announced of a body does not come: nothing else goes over that connection.
    agent: call.tooLarge ? false : agent,
    tenant,
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    method: call.method,
    path: call.path,
    headers: flat(headers),
  }
}

export function createRequestForwarder(options: ForwarderOptions): RequestForwarder {
  const agent = new TenantAgent()
  return {
    forward: (place, call, response, isOwner) =>
      new Promise((resolve) => {
        const upstream = begin(requestOptions(agent, place, call, options.id))
        const accepted = watchAcceptance(upstream, options, isOwner)
        passBack(upstream, response, accepted, (forwarded) => {
          accepted()
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
