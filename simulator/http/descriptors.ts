/** How many connections a process can have: each takes a file descriptor, and of those there are so many. */
import { readFileSync } from 'node:fs'

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

/** `text`: as Linux tells of the limits of a process. */
export function limitIn(text: string): number | null {
  const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(text) ?? []
  return soft === '' ? null : Number(soft)
}

/** How many of them may be clients. */
export const connectionsMost = (limit: number): number => limit - Math.min(spared, Math.ceil(limit / 2))
