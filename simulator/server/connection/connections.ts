/** The connections of one server. All of them are read in slices for a while after one that pipelined. */
import type { Socket } from 'node:net'
import { machineElapsed } from '../../tenant/clock/machine-time.ts'
import type { InFlightLimit } from '../in-flight-limit.ts'
import { ServerConnection, type ServerConnectionOptions } from './connection.ts'

export interface ServerConnectionsOptions extends Omit<ServerConnectionOptions, 'pipelined' | 'hold'> {
  readonly inFlight: InFlightLimit
}

export interface ServerConnections {
  /** Undefined where it is closed. */
  of(socket: Socket): ServerConnection | undefined
  /** `number`: of the connection, within its simulator. */
  add(socket: Socket, number: number): void
}

/** Whose the bytes of requests are that wait for an earlier one of their connection. */
export const waitingPlace = {}

/** How long all connections are read in slices after one that pipelined, in ms. */
const slicedMs = 600_000

export function createServerConnections({
  inFlight,
  ...options
}: ServerConnectionsOptions): ServerConnections {
  const open = new Map<Socket, ServerConnection>()
  let slicedUntil = 0
  const isSliced = (): boolean => machineElapsed() < slicedUntil
  const pipelined = (): void => {
    const isNew = !isSliced()
    slicedUntil = machineElapsed() + slicedMs
    if (!isNew) return
    // At once: others may have pipelined in the same turn of the event loop, and it takes some µs for each.
    for (const connection of open.values()) connection.slice()
  }
  const hold = (bytes: number): boolean => {
    inFlight.hold(waitingPlace, bytes)
    return bytes <= 0 || inFlight.hasRoom(waitingPlace)
  }
  const shared = { ...options, pipelined, hold }
  return {
    of: (socket) => open.get(socket),
    add: (socket, number) => {
      const connection = new ServerConnection(socket, number, shared)
      open.set(socket, connection)
      socket.once('close', () => open.delete(socket))
      if (isSliced()) connection.slice()
    },
  }
}
