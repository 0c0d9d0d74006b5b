/** Reads a request to its end, and keeps so much of it. */
import type { IncomingMessage } from 'node:http'

interface Read {
  readonly bytes: Uint8Array
  /** There was more than is kept. */
  readonly cut: boolean
}

/** What may be kept of all requests together. */
export interface Room {
  /** How many of so many bytes may be kept; they are taken. */
  take(bytes: number): number
  give(bytes: number): void
}

export function createRoom(most: number): Room {
  let left = most
  return {
    take(bytes) {
      const taken = Math.min(bytes, left)
      left -= taken
      return taken
    },
    give: (bytes) => void (left += bytes),
  }
}

/** What goes on for longer than this has no end: many times what is kept, and more pieces than bytes of a delivery. */
const most = { times: 8, pieces: 100_000 }

/** Calls back once: with what was read, or with null where the sender left before the end, or where there is none. */
export function readInboundBody(
  request: IncomingMessage,
  limit: number,
  room: Room,
  done: (read: Read | null) => void,
): void {
  const body = growing(limit, room)
  let [ended, length, pieces] = [false, 0, 0]
  request.on('data', (chunk: Buffer) => {
    body.add(chunk)
    length += chunk.length
    if (length > most.times * limit || ++pieces > most.pieces) request.destroy()
  })
  request.on('end', () => {
    ended = true
    const bytes = body.bytes()
    done({ bytes, cut: length > bytes.byteLength })
  })
  request.on('error', () => undefined)
  request.on('close', () => {
    if (ended) return
    room.give(body.bytes().byteLength)
    done(null)
  })
}

/** Bytes in one piece: a body may come in as many pieces as it has bytes, each of which would be an object. */
function growing(limit: number, room: Room) {
  let [buffer, length] = [Buffer.alloc(0), 0]
  return {
    add(chunk: Buffer): void {
      const kept = room.take(Math.min(chunk.length, limit - length))
      if (length + kept > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, length + kept))
        buffer.copy(larger)
        buffer = larger
      }
      length += chunk.copy(buffer, length, 0, kept)
    },
    bytes: (): Uint8Array => buffer.subarray(0, length),
  }
}
