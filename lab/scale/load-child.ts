/**
 * Sends turns of many tenants to many replicas, each with a key of its own: as fast as they are answered, or at a rate,
 * and then the time that counts is from the moment at which a turn was due, whether or not anybody was free to send it.
 */
import { createRandom } from '../../simulator/tenant/random.ts'
import { connect, type Socket } from 'node:net'
import { createAnswers } from '../../bench/answers.ts'
import { drawAmong } from './draw.ts'
import type { Access } from './replica-child.ts'

export interface Stress {
  ports: readonly number[]
  connections: number
  /** How long new turns begin, in ms, or how many there are. */
  until: { ms: number } | { turns: number }
  /** Turns a second; absent: as fast as they are answered. */
  rate?: number
  /** How uneven tenants are, as the exponent of Zipf's law; 0: all alike. `in order`: one after the other. */
  exponent: number | 'in order'
  /** All turns of a tenant go to the same port, as behind a balancer that chooses by the API key. */
  byKey: boolean
  /** Members of the body beside message and key. */
  extra: object
  message: string
}

export interface Stressed {
  turns: number
  /** From the first to the last answer, in ms. */
  took: number
  /** How often each status came. */
  statuses: Readonly<Record<string, number>>
  /** In ms. */
  latency: { p50: number; p95: number; p99: number; most: number }
  /** Different tenants that were asked. */
  asked: number
}

export type Order = { tenants: readonly Access[] } | { stress: Stress }

/** One connection, on which one request at a time is under way. */
interface Lane {
  readonly port: number
  ask(bytes: string): Promise<number>
  socket: Socket
}

let tenants: readonly Access[] = []
/** Never the same in the life of this process, nor in that of another. */
let keys = process.pid * 1e7

function dial(port: number): Promise<Lane> {
  return new Promise((resolve, reject) => {
    let answered = (_status: number): void => undefined
    let broken = reject
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      const ask = (bytes: string): Promise<number> =>
        new Promise((on, off) => {
          answered = on
          broken = off
          socket.write(bytes)
        })
      resolve({ port, ask, socket })
    })
    socket.on(
      'data',
      createAnswers((status) => answered(status)),
    )
    socket.on('error', (error) => broken(error))
    socket.on('close', () => broken(new Error('a connection was closed while its answer was under way')))
  })
}

function requestOf({ key, agent }: Access, { message, extra }: Stress): string {
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

async function stress(wanted: Stress): Promise<Stressed> {
  const { ports, connections, until, rate, exponent } = wanted
  const { ms, turns } = { ms: Infinity, turns: Infinity, ...until }
  const lanes = await Promise.all(
    Array.from({ length: connections }, (_, at) => dial(ports[at % ports.length] ?? 0)),
  )
  const drawn = exponent === 'in order' ? null : drawAmong(tenants.length, exponent, createRandom('scale'))
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const asked = new Set<number>()
  const began = performance.now()
  let begun = 0
  /** When the next one is due, in ms; undefined: none is any more. */
  const next = (): number | undefined => {
    const due = rate === undefined ? performance.now() - began : (begun * 1_000) / rate
    if (due >= ms || begun === turns) return undefined
    begun += 1
    return due
  }
  /** Of as many neighbours as there are ports, one is at home at each. */
  const atHome = (which: number, port: number): number =>
    Math.min(tenants.length - 1, which - (which % ports.length) + ports.indexOf(port))
  const work = async (lane: Lane): Promise<void> => {
    for (let due = next(); due !== undefined; due = next()) {
      const one = drawn?.() ?? (begun - 1) % tenants.length
      const which = wanted.byKey ? atHome(one, lane.port) : one
      const early = due - (performance.now() - began)
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      asked.add(which)
      const tenant = tenants[which]
      if (!tenant) throw new Error('there are no tenants to send turns of')
      const sent = rate === undefined ? performance.now() : began + due
      const status = await lane.ask(requestOf(tenant, wanted))
      statuses[status] = (statuses[status] ?? 0) + 1
      times.push(performance.now() - sent)
    }
  }
  try {
    await Promise.all(lanes.map(work))
  } finally {
    for (const { socket } of lanes) socket.destroy()
  }
  const took = performance.now() - began
  return {
    turns: times.length,
    took,
    statuses,
    latency: quantiles(Float64Array.from(times)),
    asked: asked.size,
  }
}

async function done(order: Order): Promise<unknown> {
  if ('stress' in order) return stress(order.stress)
  tenants = order.tenants
  return tenants.length
}

process.on('message', (order: Order) => {
  done(order).then(
    (result) => process.send?.({ result }),
    (reason: unknown) => process.send?.({ threw: reason instanceof Error ? reason.message : String(reason) }),
  )
})
process.send?.('ready')
