/** Reads a request to its end, and keeps so much of it. */
import type { IncomingMessage } from 'node:http'

interface Read {
  readonly bytes: Uint8Array
  /** There was more than is kept. */
  readonly cut: boolean
}

/** Calls back once: with what was read, or with null where the sender left before the end. */
export function readInboundBody(
  request: IncomingMessage,
  limit: number,
  done: (read: Read | null) => void,
): void {
  const chunks: Buffer[] = []
  let length = 0
  let ended = false
  request.on('data', (chunk: Buffer) => {
    if (length < limit) chunks.push(chunk.subarray(0, limit - length))
    length += chunk.length
  })
  request.on('end', () => {
    ended = true
    done({ bytes: Buffer.concat(chunks), cut: length > limit })
  })
  request.on('error', () => undefined)
  request.on('close', () => {
    if (!ended) done(null)
  })
}
