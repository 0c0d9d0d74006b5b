/**
 * How much of what has come is parsed at once. A body is one request, and so whatever surely belongs to it is parsed in one
 * piece: in slices, a megabyte would take 2 to 5 ms, and much garbage.
 */
import type { IncomingMessage } from 'node:http'

/** About 20 requests without a body, which take half a millisecond. */
const sliceBytes = 1024

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
  let request: IncomingMessage | undefined
  /** Of its body, at most; 0 where its length is not announced. */
  let left = 0
  /** What came so far has nothing that may be the last chunk of its body. */
  let goesOn = false
  const head = (bytes: Buffer, at: number): number => {
    goesOn = lastChunkIn(bytes.subarray(0, at + sliceBytes), at) === -1
    return sliceBytes
  }
  const announced = (available: number): number => {
    const size = Math.min(available, Math.max(sliceBytes, left))
    left -= size
    return size
  }
  const chunked = (bytes: Buffer, at: number): number => {
    const end = lastChunkIn(bytes, at)
    goesOn = end === -1
    return goesOn ? bytes.length - at : Math.max(sliceBytes, end - at)
  }
  return (bytes, at) => {
    const last = newest()
    if (!last || last.complete) return head(bytes, at)
    if (last !== request) left = Number(last.headers['content-length'] ?? 0)
    request = last
    return goesOn && left === 0 ? chunked(bytes, at) : announced(bytes.length - at)
  }
}
