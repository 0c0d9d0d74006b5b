/** Closes the network for this thread: inputs name hosts, and none of them is to hear from a fuzzer. */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const open = new Set<number>()

/** This port of the machine itself may be connected to from now on. */
export function openPort(port: number): void {
  open.add(port)
}

function refusal(): Error {
  return Object.assign(new Error('connect ECONNREFUSED: the fuzzer is not connected'), {
    code: 'ECONNREFUSED',
  })
}

export function closeNetwork(): void {
  type Connect = (this: net.Socket, ...given: unknown[]) => net.Socket
  const connect = Reflect.get(net.Socket.prototype, 'connect') as Connect
  const guarded: Connect = function (...given) {
    const [first] = given.flat() as [{ port?: unknown } | number | undefined]
    const port = Number(typeof first === 'object' ? first?.port : first)
    if (open.has(port)) return connect.apply(this, given)
    process.nextTick(() => this.destroy(refusal()))
    return this
  }
  Reflect.set(net.Socket.prototype, 'connect', guarded)
  const known = Reflect.get(dns, 'lookup') as (...given: unknown[]) => void
  // An address needs no looking up, and `listen` asks for its own.
  const lookup = (name: string, options: unknown, done?: unknown): void => {
    if (net.isIP(name) !== 0) return known(name, options, done)
    const reported = (typeof options === 'function' ? options : done) as (error: Error) => void
    process.nextTick(reported, Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
  }
  Reflect.set(dns, 'lookup', lookup)
  Reflect.set(dns.promises, 'lookup', () => Promise.reject(refusal()))
  syncBuiltinESMExports()
}
