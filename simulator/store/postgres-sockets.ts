/** The sockets of connections to PostgreSQL: `pg` leaves that of a connection open whose signing in it gives up. */
import { Socket } from 'node:net'

export interface Sockets {
  /** Not connected yet. */
  open(): Socket
  /** Whatever is still there would keep the process from ending. */
  close(): void
}

export function createSockets(): Sockets {
  const sockets = new Set<Socket>()
  return {
    open: () => {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
