/** An address of this machine, with a port, that hardly anybody else listens on. */
import { randomInt } from 'node:crypto'

/** Several runs on one machine stay apart: on Linux all of 127.0.0.0/8 is this machine. */
export function ownAddress(): string {
  const part = (): number => randomInt(1, 255)
  const host = process.platform === 'linux' ? `127.${part()}.${part()}.${part()}` : '127.0.0.1'
  return `${host}:${randomInt(20_000, 32_768)}`
}
