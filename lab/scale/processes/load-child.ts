/**
 * Sends turns of many tenants to many replicas, each with its own key: as fast as possible or at a fixed rate. At a rate,
 * latency counts from the time at which a turn was due, even if all connections were busy.
 */
import { createRandom } from '../../../simulator/tenant/random.ts'
import { connect, type Socket } from 'node:net'
import { createResponseReader } from '../../../bench/processes/response-reader.ts'
import { zipfIndex } from './zipf.ts'
import type { TenantAccess } from './replica-child.ts'

export interface Stress {
  ports: readonly number[]
  connections: number
  /** Duration in ms or number of turns. */
  until: { ms: number } | { turns: number }
  /** Turns per second; absent: as fast as possible. */
  rate?: number
  /** Exponent of the Zipf distribution of tenants (0: uniform); `in order`: round robin. */
  exponent: number | 'in order'
  /** Send all turns of a tenant to the same port, as a balancer that hashes the API key does. */
  byKey: boolean
  /** Members of the body beside message and key. */
  extra: object
  message: string
}

export interface Stressed {
  turns: number
  /** From the first request to the last response. */
  ms: number
  /** Number of responses by status. */
  statuses: Readonly<Record<string, number>>
  /** In ms. */
  latency: { p50: number; p95: number; p99: number; most: number }
  /** Number of different tenants. */
  used: number
}

export type LoaderCommand = { tenants: readonly TenantAccess[] } | { stress: Stress }

/** A connection with at most one request in flight. */
interface Connection {
  readonly port: number
  send(bytes: string): Promise<number>
  socket: Socket
}

let tenants: readonly TenantAccess[] = []
/** Unique within and across processes. */
let keys = process.pid * 1e7

function dial(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let answered = (_status: number): void => undefined
    let fail = reject
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      const send = (bytes: string): Promise<number> =>
        new Promise((on, off) => {
          answered = on
          fail = off
          socket.write(bytes)
        })
      resolve({ port, send: send, socket })
    })
    socket.on(
      'data',
      createResponseReader((status) => answered(status)),
    )
    socket.on('error', (error) => fail(error))
    socket.on('close', () => fail(new Error('the server closed a connection before the response ended')))
  })
}

function requestOf({ key, agent }: TenantAccess, { message, extra }: Stress): string {
  const body = JSON.stringify({ message, ...extra, idempotency_key: `scale-${(keys += 1)}` })
  return (
    `POST /api/v1/chat/${agent} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

function quantiles(times: Float64Array): Stressed['latency'] {
  times.sort()
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: times.at(-1) ?? 0 }
}

async function stress(options: Stress): Promise<Stressed> {
  const { ports, connections, until, rate, exponent } = options
  const { ms: limitMs, turns } = { ms: Infinity, turns: Infinity, ...until }
  const open = await Promise.all(
    Array.from({ length: connections }, (_, at) => dial(ports[at % ports.length] ?? 0)),
  )
  const draw = exponent === 'in order' ? null : zipfIndex(tenants.length, exponent, createRandom('scale'))
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const used = new Set<number>()
  const began = performance.now()
  let begun = 0
  /** When the next turn is due, in ms; undefined after the last one. */
  const next = (): number | undefined => {
    const due = rate === undefined ? performance.now() - began : (begun * 1_000) / rate
    if (due >= limitMs || begun === turns) return undefined
    begun += 1
    return due
  }
  /** Consecutive tenants belong to consecutive ports. */
  const tenantAt = (which: number, port: number): number =>
    Math.min(tenants.length - 1, which - (which % ports.length) + ports.indexOf(port))
  const work = async (connection: Connection): Promise<void> => {
    for (let due = next(); due !== undefined; due = next()) {
      const one = draw?.() ?? (begun - 1) % tenants.length
      const which = options.byKey ? tenantAt(one, connection.port) : one
      const early = due - (performance.now() - began)
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      used.add(which)
      const tenant = tenants[which]
      if (!tenant) throw new Error('no tenants: send `use` first')
      const sent = rate === undefined ? performance.now() : began + due
      const status = await connection.send(requestOf(tenant, options))
      statuses[status] = (statuses[status] ?? 0) + 1
      times.push(performance.now() - sent)
    }
  }
  try {
    await Promise.all(open.map(work))
  } finally {
    for (const { socket } of open) socket.destroy()
  }
  const ms = performance.now() - began
  return {
    turns: times.length,
    ms: ms,
    statuses,
    latency: quantiles(Float64Array.from(times)),
    used: used.size,
  }
}

async function execute(command: LoaderCommand): Promise<unknown> {
  if ('stress' in command) return stress(command.stress)
  tenants = command.tenants
  return tenants.length
}

process.on('message', (command: LoaderCommand) => {
  execute(command).then(
    (result) => process.send?.({ result }),
    (reason: unknown) => process.send?.({ threw: reason instanceof Error ? reason.message : String(reason) }),
  )
})
process.send?.('ready')
