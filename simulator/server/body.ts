/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http'

/** `too-large`, `no-room`: the rest is not read. `gone`: the client went away before its end. */
export type BodyRead =
  | { readonly is: 'whole'; readonly bytes: Uint8Array }
  | { readonly is: 'too-large' }
  | { readonly is: 'no-room' }
  | { readonly is: 'gone' }

const nothing = new Uint8Array()

/** Counts the bytes of a body as they come. */
export interface BodyRoom {
  /** False where there is no room for them. */
  take(bytes: number): boolean
}

/** Calls back exactly once. `announced`: the Content-Length, 0 when there is none. */
export function readBytes(
  request: IncomingMessage,
  announced: number,
  limit: number,
  room: BodyRoom,
  done: (read: BodyRead) => void,
): void {
  let chunks: Uint8Array[] | null = null
  let size = 0
  let settled = false
  const settle = (read: BodyRead): void => {
    if (settled) return
    settled = true
    chunks = null
    done(read)
  }
  // A length that is announced is believed: nothing of such a body has to be read.
  if (announced > limit) return settle({ is: 'too-large' })
  request.on('data', (chunk: Uint8Array) => {
    size += chunk.length
    if (settled) return
    if (size > limit) settle({ is: 'too-large' })
    else if (!room.take(chunk.length)) settle({ is: 'no-room' })
    else if (chunks) chunks.push(chunk)
    else chunks = [chunk]
  })
  request.on('end', () => {
    const [first = nothing, second] = chunks ?? []
    settle({ is: 'whole', bytes: chunks && second ? Buffer.concat(chunks, size) : first })
  })
  request.on('close', () => settle({ is: 'gone' }))
}
