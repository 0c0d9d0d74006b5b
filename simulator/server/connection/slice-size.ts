/**
 * How much of what has come is parsed at once. A body is one request, and so whatever surely belongs to it is parsed in one
 * piece: in slices, a megabyte would take 2 to 5 ms, and much garbage. Chunks that have a line with a zero at its beginning
 * go on in slices from there, as that may be the last chunk.
 */
import type { IncomingMessage } from 'node:http'

/** About 10 requests without a body, which take a quarter of a millisecond: hundreds of clients may pipeline at once. */
const sliceBytes = 512

/** How the last chunk of a body begins; a size may have more zeros. */
const lastChunk = '\r\n0'
const [, lineFeed, zero] = Buffer.from(lastChunk)

/** Where, from `at` on, something begins that may be the last chunk; -1 for nothing. A read may have split it. */
function lastChunkIn(bytes: Buffer, at: number): number {
  if (at === 0 && (bytes[0] === zero || (bytes[0] === lineFeed && bytes[1] === zero))) return 0
  return bytes.indexOf(lastChunk, Math.max(0, at - 2))
}

/** Asked before each slice of `bytes`, which begins at `at`. */
export type SliceSize = (bytes: Buffer, at: number) => number

/** `newest`: the last request that was parsed, where it is in flight or waits for its turn. */
export function createSliceSize(newest: () => IncomingMessage | undefined): SliceSize {
  const begun = newest()
  // Weak, since a connection that is idle calls nothing that would forget it.
  let known = begun && new WeakRef(begun)
  /** Of an announced body, at most. Of one that was begun before, it is not known. */
  let left = 0
  let isChunked = false
  /** All of the slice before was searched, and has nothing that may be the last chunk. */
  let goesOn = false
  const begin = (request: IncomingMessage): void => {
    known = new WeakRef(request)
    left = Number(request.headers['content-length'] ?? 0)
    isChunked = request.headers['transfer-encoding'] !== undefined
  }
  const between = (bytes: Buffer, at: number): number => {
    goesOn = lastChunkIn(bytes.subarray(0, at + sliceBytes), at) === -1
    return sliceBytes
  }
  const chunked = (bytes: Buffer, at: number): number => {
    const end = lastChunkIn(bytes, at)
    goesOn = end === -1
    return goesOn ? bytes.length - at : Math.max(sliceBytes, end - at)
  }
  const rest = (available: number): number => {
    goesOn = false
    const size = Math.min(available, Math.max(sliceBytes, left))
    left -= size
    return size
  }
  return (bytes, at) => {
    const last = newest()
    if (!last || last.complete) return between(bytes, at)
    if (last !== known?.deref()) begin(last)
    return isChunked && goesOn ? chunked(bytes, at) : rest(bytes.length - at)
  }
}
