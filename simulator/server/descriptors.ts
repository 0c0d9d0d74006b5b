/** How many connections a process can have: each takes a file descriptor, and of those there are so many. */
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'

/** For files, deliveries, a database, and whatever else is not a client. */
const spared = 128

/** Null where the system does not say. */
export function descriptorLimit(): number | null {
  try {
    return limitIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    // Only Linux has this file; elsewhere the system says so once there is none left.
    return null
  }
}

/** `text`: the limits of a process in the format of Linux. */
export function limitIn(text: string): number | null {
  const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(text) ?? []
  return soft === '' ? null : Number(soft)
}

/** How many of them may be clients. */
export const connectionsMost = (limit: number): number => limit - Math.min(spared, Math.ceil(limit / 2))

type Notice = (line: string) => void

/** Says once, and then at each tenfold, that there were more clients than there is room for. */
function sayFull(server: Server, remedy: string, notice: Notice): void {
  let turnedAway = 0
  const full = (why: string): void => {
    if (/^10*$/.test(`${++turnedAway}`))
      notice(`${why}; ${turnedAway} turned away so far. Allow more with ${remedy}.`)
  }
  server.on('drop', () =>
    full(`${server.maxConnections} connections are open, which is all there is room for`),
  )
  server.on('error', ({ message }) => full(`a connection could not be taken: ${message}`))
}

/** Connections are as many as `most` and the descriptors allow: one too many is closed, and the others go on. */
export function limitConnections(server: Server, most: number, notice: Notice): void {
  const room = connectionsMost(descriptorLimit() ?? Infinity)
  server.maxConnections = Math.min(most, room)
  sayFull(server, most < room ? '--limit connections=NUMBER' : 'ulimit -n', notice)
}
