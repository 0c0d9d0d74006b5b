/** A random loopback address and port. */
import { randomInt } from 'node:crypto'

/** Separates parallel runs on one machine: on Linux all of 127.0.0.0/8 is loopback. */
export function ownAddress(): string {
  const part = (): number => randomInt(1, 255)
  const host = process.platform === 'linux' ? `127.${part()}.${part()}.${part()}` : '127.0.0.1'
  return `${host}:${randomInt(20_000, 32_768)}`
}
