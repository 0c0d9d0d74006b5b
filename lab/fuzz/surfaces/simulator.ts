/** The HTTP server of the simulator: it must respond to any input, log no defect and serve the next request. */
import { createConnection } from 'node:net'
import { createSimulator, type Simulator } from '../../../simulator/index.ts'
import { changeBytes } from '../change-bytes.ts'
import { changeJson } from '../change-json.ts'
import { openPort } from '../closed-network.ts'
import { tenantStateOptions, type Corpus } from '../corpus.ts'
import type { Draw } from '../draw.ts'
import { say, serverBehind } from '../memory-socket.ts'
import { bytesOf, Defect, type Feed, type Surface, type Surfaces } from '../surface.ts'
import { bodyOf, headTokens, requestBytes, withBody } from './http.ts'

interface FuzzedServer {
  simulator: Simulator
  /** Throws if the log has a new defect. */
  throwDefects(): void
  say(bytes: Uint8Array, timeoutMs: number | null): Promise<{ text: string; ended: boolean }>
  checkHealth(): Promise<void>
  close(): Promise<void>
}

async function startFuzzedServer(): Promise<FuzzedServer> {
  const defects: string[] = []
  const log = (line: string): void => void (line.startsWith('error:') && defects.push(line))
  const options = { ...tenantStateOptions, unlimited: true, journalCapacity: 50, log }
  const simulator = await createSimulator(options)
  openPort(simulator.port)
  const server = await serverBehind(`${simulator.url}/healthz`)
  const { tenant } = simulator
  const throwDefects = (): void => {
    const found = defects.splice(0)
    if (found.length > 0) throw new Defect(found[0])
  }
  let turns = 0
  return {
    simulator,
    throwDefects,
    say: (bytes, timeoutMs) => say(server, bytes, timeoutMs),
    async checkHealth() {
      tenant.reset()
      const body = bytesOf(JSON.stringify({ message: 'hello', idempotency_key: `well ${(turns += 1)}` }))
      const headers = [['Authorization', `Bearer ${tenant.keys.main}`]] as const
      const path = `/api/v1/chat/${tenant.agents.plain}`
      const { text } = await say(server, requestBytes({ method: 'POST', path, headers, body }), 5_000)
      throwDefects()
      if (!text.startsWith('HTTP/1.1 200'))
        throw new Defect(`afterwards a plain turn gets ${text.slice(0, 300)}`)
    },
    close: () => simulator.close(),
  }
}

/** Inputs per simulator, because tenants accumulate state. */
const tenantInputs = 2_000

function overHttp(read: (input: Uint8Array, server: FuzzedServer) => Promise<void>): Surface['open'] {
  return async (): Promise<Feed> => {
    let server = await startFuzzedServer()
    let fed = 0
    return {
      async feed(input) {
        if (++fed % tenantInputs === 0) {
          await server.checkHealth()
          await server.close()
          server = await startFuzzedServer()
        }
        await read(input, server)
        server.throwDefects()
      },
      checkHealth: () => server.checkHealth(),
      close: () => server.close(),
    }
  }
}

const statusLine = /^HTTP\/1\.1 (\d{3}) /

/** One of each kind of request of the run: by method, route and length of body. */
function requestsOf({ exchanges }: Corpus): Uint8Array[] {
  const kinds = new Map<string, Uint8Array>()
  for (const { request, inbound } of exchanges) {
    if (inbound || request.body.length > 20_000) continue
    const route = request.path.replaceAll(/[A-Za-z]+_\w{12,}|[0-9a-f-]{36}/g, '*')
    const kind = `${request.method} ${route} ${Math.floor(request.body.length / 24)} ${request.headers.length}`
    if (!kinds.has(kind)) kinds.set(kind, requestBytes(request))
  }
  return [...kinds.values()]
}

/** With a fresh key; otherwise the request would be a replay. */
function freshKey(request: Uint8Array, draw: Draw): Uint8Array {
  const fresh = `f${draw.below(1e9)}`
  const replaced = (bytes: Uint8Array, from: RegExp, to: string): Buffer =>
    Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1')
  const bytes = replaced(request, /^((?:x-)?idempotency-key): .*$/im, `$1: ${fresh}`)
  const keyed = replaced(bodyOf(bytes), /"idempotency_key":"[^"]*"/, `"idempotency_key":"${fresh}"`)
  return withBody(bytes, keyed)
}

function changeBody(seed: Uint8Array, draw: Draw, others: readonly Uint8Array[]): Uint8Array {
  const request = draw.chance(80) ? freshKey(seed, draw) : seed
  const body = bodyOf(request)
  const json = draw.chance(70) ? changeJson(Buffer.from(body).toString(), draw) : null
  return withBody(request, json === null ? changeBytes(body, draw, others.map(bodyOf)) : bytesOf(json))
}

async function answered(input: Uint8Array, server: FuzzedServer): Promise<void> {
  const { text } = await server.say(input, null)
  const [, status] = statusLine.exec(text) ?? []
  if (status === undefined)
    throw new Defect(`a complete request without a response: ${JSON.stringify(text.slice(0, 80))}`)
  if (status === '500') throw new Defect(`a 500: ${text.slice(0, 300)}`)
}

async function anyAnswer(input: Uint8Array, server: FuzzedServer): Promise<void> {
  const { text } = await server.say(input, 0)
  if (text !== '' && !statusLine.test(text))
    throw new Defect(`an answer that is none: ${JSON.stringify(text.slice(0, 80))}`)
}

const bodies: Surface = {
  parts: 14,
  seeds: requestsOf,
  change: changeBody,
  open: overHttp(answered),
  growing: {
    'open brackets': (bytes) => chatWith('['.repeat(bytes)),
    'a long message': (bytes) => chatWith(`{"message":"${'x'.repeat(bytes)}"}`),
    members: (bytes) => chatWith(`{"message":"x"${',"a":1'.repeat(bytes / 6)}}`),
  },
}

/** Refused for want of a key: reading the body is what is measured. */
function chatWith(body: string): Uint8Array {
  const headers = [['Authorization', `Bearer x`]] as const
  return requestBytes({ method: 'POST', path: '/api/v1/chat/a', headers, body: bytesOf(body) })
}

const heads: Surface = {
  parts: 12,
  seeds: requestsOf,
  change: (seed, draw, others) => changeBytes(seed, draw, others, headTokens),
  open: overHttp(anyAnswer),
}

const interpretations = { 'GAP-OLDER-SERVED': 'yes' }
const replyRule = { match: { message: 'x' }, reply: { tokens: ['a'], credits: 1 } }
const control: readonly (readonly [string, string, unknown?])[] = [
  ['POST', '/tenants', { seed: 'x', faults: [], variants: [] }],
  ['GET', '/faults'],
  ['GET', '/tenants/@'],
  ['PATCH', '/tenants/@', { faults: ['replay-without-header'], interpretations }],
  ['POST', '/tenants/@/states/credits.exhausted', { agent: 'plain' }],
  ['POST', '/tenants/@/states/chat.paused', { agent: 'plain' }],
  ['DELETE', '/tenants/@/states/chat.paused/1'],
  ['GET', '/tenants/@/clock'],
  ['PUT', '/tenants/@/clock', { mode: 'frozen', at: '2026-01-01T00:00:00.000Z' }],
  ['PUT', '/tenants/@/clock', { mode: 'scaled', factor: 10 }],
  ['POST', '/tenants/@/clock/advance', { ms: 1_000 }],
  ['PATCH', '/tenants/@/agents/plain', { paused: true, allowed: false }],
  ['PATCH', '/tenants/@/accounts/main', { credits: 1, plan: 'business' }],
  ['PUT', '/tenants/@/reply-rules', { replyRules: [replyRule] }],
  ['POST', '/tenants/@/events', { event: 'conversation.started', agent: 'plain', payload: { a: 1 } }],
  ['GET', '/tenants/@/deliveries?webhook=wh_x'],
  ['POST', '/tenants/@/deliveries/whd_x/again', { sameId: true }],
  ['GET', '/tenants/@/approvals'],
  ['POST', '/tenants/@/approvals/ap_x', { decision: 'approved' }],
  ['GET', '/tenants/@/tasks'],
  ['POST', '/tenants/@/tasks/task_x', { status: 'completed' }],
  ['POST', '/tenants/@/barriers', { at: 'before-run', agent: 'plain' }],
  ['GET', '/tenants/@/barriers'],
  ['GET', '/tenants/@/barriers/barrier-1/reached?count=1&timeoutMs=1'],
  ['GET', '/tenants/@/journal?since=0&limit=10&body=%7B%22message%22:%22x%22%7D&header=Content-Type:%20x'],
  ['GET', '/tenants/@/journal/wait?since=0&count=1&code=OUTCOME_UNCERTAIN&timeoutMs=1'],
  ['POST', '/tenants/@/reset'],
]

const plane: Surface = {
  parts: 5,
  seeds: ({ tenant, exchanges }) => [
    ...control.map(([method, path, body]) =>
      requestBytes({
        method,
        path: `/_sim/v1${path.replace('@', tenant)}`,
        headers: [['Content-Type', 'application/json']],
        body: bytesOf(body === undefined ? '' : JSON.stringify(body)),
      }),
    ),
    ...exchanges.slice(0, 4).map(({ request }) => requestBytes(request)),
  ],
  change: (seed, draw, others) =>
    draw.chance(60)
      ? changeBody(seed, draw, others)
      : changeBytes(seed, draw, others, [...headTokens, '/_sim/v1/']),
  open: overHttp(anyAnswer),
}
/** The kernel and a real socket between; everything until the other side closes. */
function overSocket(simulator: Simulator, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: Buffer[] = []
    const socket = createConnection(simulator.port, simulator.host)
    const finish = (): void => resolve(Buffer.concat(said).toString('latin1'))
    socket.setTimeout(1_000, () => reject(new Defect('a socket that neither answers nor closes')))
    socket
      .on('data', (chunk: Buffer) => void said.push(chunk))
      .on('close', finish)
      .on('error', finish)
    socket.end(bytes)
  })
}

const sockets: Surface = {
  parts: 0.5,
  seeds: requestsOf,
  change(seed, draw, others) {
    const changed = changeBytes(seed, draw, others, headTokens)
    // Several requests on one connection, of which the last asks to close it.
    if (!draw.chance(30)) return changed
    const open = Buffer.from(draw.from(others)).toString('latin1').replace('Connection: close\r\n', '')
    return Buffer.concat([Buffer.from(open, 'latin1'), changed])
  },
  open: overHttp(async (input, { simulator }) => {
    const text = await overSocket(simulator, input)
    if (text !== '' && !statusLine.test(text))
      throw new Defect(`an answer that is none: ${text.slice(0, 80)}`)
  }),
}

export const simulators = { bodies, heads, control: plane, sockets } satisfies Surfaces
