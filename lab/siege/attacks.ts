/** What hostile clients do; each goes on until it is stopped, and none waits for the service to be kind. */
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../simulator/tenant/random.ts'
import { controlToken, type Access } from './tenants.ts'

export interface Attacker {
  readonly signal: AbortSignal
  readonly random: Random
  /** One of the tenants that are not the honest one. */
  tenant(): Access
  /** A connection to one of the replicas; it is destroyed when the attack ends. Its answers are read on request only. */
  dial(): Socket
  /** Counts one hostile act. */
  count(): void
  /** Endpoints that harm whoever delivers to them. */
  readonly receivers: readonly string[]
}

export type Attack = (attacker: Attacker) => Promise<void>

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

interface Head {
  readonly method?: string
  readonly path: string
  readonly headers?: readonly string[]
  readonly body?: string
  /** Announced length; default that of the body. */
  readonly length?: number
}

function bytesOf({ method = 'POST', path, headers = [], body, length }: Head): string {
  const announced = length ?? (body === undefined ? undefined : Buffer.byteLength(body))
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: simulator',
    ...headers,
    ...(announced === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${announced}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

const bearer = ({ key }: Access): string => `Authorization: Bearer ${key}`
const session = ({ session: [name, value] }: Access): string => `${name}: ${value}`
const chatPath = ({ agent }: Access): string => `/api/v1/chat/${agent}`
const webhooksPath = ({ agent }: Access): string => `/api/agents/${agent}/webhooks`

function turn(tenant: Access, { random }: Attacker, fields: object = {}): Head {
  const body = { message: 'Hello', idempotency_key: random.uuid(), ...fields }
  return { path: chatPath(tenant), headers: [bearer(tenant)], body: JSON.stringify(body) }
}

const execution = (tenant: Access, operation: string, key: string, input: object): Head => ({
  path: `/api/v1/operation-executions/${operation}`,
  headers: [bearer(tenant), `Idempotency-Key: ${key}`],
  body: JSON.stringify({ input }),
})

const list = (tenant: Access): Head => ({
  method: 'GET',
  path: webhooksPath(tenant),
  headers: [session(tenant)],
})

const webhook = (tenant: Access, endpoint: string, headers: object = {}): Head => ({
  path: webhooksPath(tenant),
  headers: [session(tenant)],
  body: JSON.stringify({
    name: 'hostile',
    endpoint_url: endpoint,
    events: ['message.sent'],
    custom_headers: headers,
  }),
})

/** Repeats an act until the signal, with a pause after each. */
async function repeat({ signal }: Attacker, pauseMs: number, act: () => void | Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await act()
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Sends, reads what comes, and lets the connection end. */
function post(attacker: Attacker, head: Head): void {
  attacker.count()
  const socket = attacker.dial().resume()
  socket.write(bytesOf({ ...head, headers: ['Connection: close', ...(head.headers ?? [])] }))
}

/** As many requests as fit, again and again, on connections that are read. */
const pipelined =
  (connections: number, requests: number, head: (attacker: Attacker) => Head): Attack =>
  (attacker) =>
    repeat(attacker, 2_000, () => {
      for (let opened = 0; opened < connections; opened++) {
        const socket = attacker.dial().resume()
        socket.write(bytesOf(head(attacker)).repeat(requests))
        for (let sent = 0; sent < requests; sent++) attacker.count()
      }
    })

/** The same on connections that nobody reads. */
const unread =
  (connections: number, requests: number, head: (attacker: Attacker) => Head): Attack =>
  (attacker) =>
    repeat(attacker, 10_000, () => {
      for (let opened = 0; opened < connections; opened++) {
        attacker
          .dial()
          .pause()
          .write(bytesOf(head(attacker)).repeat(requests))
        attacker.count()
      }
    })

/** Connections that send a head and then one piece at a time, for as long as they are borne. */
const dripping =
  (connections: number, head: (attacker: Attacker) => string, piece: string, everyMs: number): Attack =>
  async (attacker) => {
    let sockets: Socket[] = []
    await repeat(attacker, everyMs, () => {
      sockets = sockets.filter(({ destroyed }) => !destroyed)
      for (const socket of sockets) socket.write(piece)
      for (let opened = 0; opened < 250 && sockets.length < connections; opened++) {
        const socket = attacker.dial().resume()
        socket.write(head(attacker))
        sockets.push(socket)
        attacker.count()
      }
    })
  }

const chunkedHead = (tenant: Access): string =>
  bytesOf({
    path: chatPath(tenant),
    headers: [bearer(tenant), 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
  })

const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)

/** Bytes that are no request, or the first ones of another protocol. */
const garbage: readonly ((random: Random) => string | Buffer)[] = [
  (random) => Buffer.from(Array.from({ length: 2_000 }, () => random.below(256))),
  () => Buffer.from('16030100c8010000c40303', 'hex'),
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
  () => 'GET /healthz HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  () => 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  () => 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n',
  () => `GET /${'%ff'.repeat(2_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  () => 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  () => 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n',
]

/** One request, cut off after a drawn number of its bytes, or in the middle of its answer. */
function abort(attacker: Attacker): void {
  const { random } = attacker
  const tenant = attacker.tenant()
  const text = bytesOf(turn(tenant, attacker, { stream: random.below(2) === 0 }))
  const socket = attacker.dial().resume()
  attacker.count()
  const cut = (): void => void (random.below(2) === 0 ? socket.destroy() : socket.resetAndDestroy())
  if (random.below(2) === 0) return void socket.write(text.slice(0, random.below(text.length)), cut)
  socket.write(text)
  socket.once('data', cut)
}

/** An attack on one tenant, which is prepared the first time. */
function onOne(
  prepare: (attacker: Attacker, tenant: Access) => Promise<void> | void,
  attack: (tenant: Access) => Attack,
): Attack {
  let tenant: Access | undefined
  return async (attacker) => {
    if (!tenant) {
      tenant = attacker.tenant()
      await prepare(attacker, tenant)
    }
    await attack(tenant)(attacker)
  }
}

/** Large webhooks, whose list takes more than a megabyte. */
async function fillList(attacker: Attacker, tenant: Access): Promise<void> {
  const headers = { 'X-A': 'v'.repeat(8_000), 'X-B': 'v'.repeat(8_000) }
  for (let made = 0; made < 100; made++) {
    post(attacker, webhook(tenant, 'https://hooks.example.org/', headers))
    if (made % 10 === 0) await pause(20)
  }
}

function writeNotes(attacker: Attacker, tenant: Access): void {
  const text = '\u0000'.repeat(500)
  for (let made = 0; made < 100; made++)
    post(attacker, execution(tenant, 'notes.create', attacker.random.uuid(), { text }))
}

function hookReceivers(attacker: Attacker, tenant: Access): void {
  for (const receiver of attacker.receivers) post(attacker, webhook(tenant, receiver))
}

const authorization = `Authorization: Bearer ${controlToken}`

export const attacks: Readonly<Record<string, Attack>> = {
  'long lists, pipelined': onOne(fillList, (tenant) => pipelined(8, 3_000, () => list(tenant))),
  'long lists, never read': onOne(fillList, (tenant) => unread(60, 50, () => list(tenant))),
  'control plane without its token, pipelined': pipelined(20, 1_000, () => ({
    method: 'GET',
    path: '/_sim/v1/faults',
  })),
  'control plane lists, never read': unread(200, 20, () => ({
    method: 'GET',
    path: '/_sim/v1/faults',
    headers: [authorization],
  })),
  'waits for a journal': unread(500, 1, (attacker) => ({
    method: 'GET',
    path: `/_sim/v1/tenants/${attacker.tenant().id}/journal/wait?count=1&timeoutMs=60000&path=/never`,
    headers: [authorization],
  })),
  'streams, never read': unread(100, 5, (attacker) =>
    turn(attacker.tenant(), attacker, { message: 'x'.repeat(10_000), stream: true }),
  ),
  'dripping headers': dripping(
    3_000,
    () => 'POST /api/v1/chat/x HTTP/1.1\r\nHost: a\r\n',
    'X-A: b\r\n',
    1_000,
  ),
  'dripping bodies': dripping(
    500,
    (attacker) => bytesOf({ ...turn(attacker.tenant(), attacker), body: '', length: 100_000 }),
    'x',
    1_000,
  ),
  'endless chunks': dripping(
    50,
    (attacker) => chunkedHead(attacker.tenant()),
    `4000\r\n${'x'.repeat(16 * kibibyte)}\r\n`,
    50,
  ),
  'deep JSON': (attacker) =>
    repeat(attacker, 50, () =>
      post(attacker, {
        ...turn(attacker.tenant(), attacker),
        body: nested(Math.floor((attacker.random.below(2) === 0 ? 900 * kibibyte : 300) / 6)),
      }),
    ),
  'large bodies': (attacker) =>
    repeat(attacker, 50, () =>
      post(attacker, turn(attacker.tenant(), attacker, { message: 'ü'.repeat(500 * kibibyte) })),
    ),
  'giant headers': (attacker) =>
    repeat(attacker, 50, () =>
      post(attacker, {
        method: 'GET',
        path: '/api/v1/operations',
        headers: [`X-Giant: ${'v'.repeat(attacker.random.below(2) === 0 ? 15 * kibibyte : mebibyte)}`],
      }),
    ),
  garbage: (attacker) =>
    repeat(attacker, 20, () => {
      const make = garbage[attacker.random.below(garbage.length)]
      attacker.count()
      attacker
        .dial()
        .resume()
        .write(make?.(attacker.random) ?? '')
    }),
  'aborted sockets': (attacker) => repeat(attacker, 10, () => abort(attacker)),
  'unknown keys': pipelined(10, 200, (attacker) => ({
    ...turn(attacker.tenant(), attacker),
    headers: [`Authorization: Bearer sk-${attacker.random.word(40)}`],
  })),
  'turns of many tenants': (attacker) =>
    repeat(attacker, 20, () =>
      post(attacker, turn(attacker.tenant(), attacker, { message: 'y'.repeat(10_000) })),
    ),
  'runs of many tenants': (attacker) =>
    repeat(attacker, 40, () => {
      const customers = Array.from({ length: 50 }, () => ({
        name: 'n'.repeat(80),
        email: `${'e'.repeat(60)}@example.com`,
      }))
      const key = attacker.random.uuid()
      post(attacker, execution(attacker.tenant(), 'customers.import', key, { customers }))
    }),
  'lists of notes, never read': onOne(writeNotes, (tenant) =>
    unread(60, 20, (attacker) => execution(tenant, 'notes.list', attacker.random.uuid(), {})),
  ),
  'deliveries to hostile receivers': onOne(
    hookReceivers,
    (tenant) => (attacker) => repeat(attacker, 30, () => post(attacker, turn(tenant, attacker))),
  ),
  'connections that say nothing': dripping(1_000, () => '\r\n', '', 2_000),
}
