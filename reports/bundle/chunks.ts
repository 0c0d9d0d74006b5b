/** The body of a response in one piece. Bodies may be megabytes, and are read often: none is copied for that. */
import type { Chunk } from './exchange.ts'

/** Gives bytes that are not in memory; `inPassing`: in a buffer that the next call overwrites. */
export type ReadBytes = (inPassing: boolean) => Uint8Array

const released = new WeakMap<Chunk, { length: number; read: ReadBytes }>()

/** Takes the bytes of a read out of memory; `read` gives them again, each time that they are asked for. */
export function releaseBytes(chunk: Chunk, read: ReadBytes): void {
  if (!released.has(chunk)) release(chunk, chunk.bytes.length, read)
}

/** A read with bytes that were never in memory: `length` of them. */
export function releasedChunk(at: number, length: number, read: ReadBytes): Chunk {
  return release({ at }, length, read)
}

function release(chunk: { at: number }, length: number, read: ReadBytes): Chunk {
  const left = Object.defineProperty(chunk, 'bytes', { get: () => read(false), enumerable: true }) as Chunk
  released.set(left, { length, read })
  return left
}

/** Bytes of the reads that were taken out of memory. */
export function releasedBytes(chunks: readonly Chunk[] = []): number {
  return chunks.reduce((sum, chunk) => sum + (released.get(chunk)?.length ?? 0), 0)
}

/** Bytes of all reads, none of which is read back for that. */
export function lengthOf(chunks: readonly Chunk[] = []): number {
  return chunks.reduce((sum, chunk) => sum + (released.get(chunk)?.length ?? chunk.bytes.length), 0)
}

/** The same reads, consecutive in one buffer. */
export function packed(chunks: readonly Chunk[]): readonly Chunk[] {
  const whole = new Uint8Array(chunks.reduce((sum, { bytes }) => sum + bytes.length, 0))
  let end = 0
  return chunks.map(({ at, bytes }) => {
    whole.set(bytes, end)
    return { at, bytes: whole.subarray(end, (end += bytes.length)) }
  })
}

/** All bytes, not to be changed: a view of the buffer where they were packed, else a copy. */
export function joined(chunks: readonly Chunk[] = []): Buffer {
  // Those that are not in memory are read once.
  const all = chunks.map(({ bytes }) => bytes)
  const [first] = all
  if (first === undefined) return Buffer.alloc(0)
  const { buffer, byteOffset } = first
  let end = byteOffset
  const isPacked = all.every((bytes) => {
    const follows = bytes.buffer === buffer && bytes.byteOffset === end
    end += bytes.length
    return follows
  })
  return isPacked ? Buffer.from(buffer, byteOffset, end - byteOffset) : Buffer.concat(all)
}

/** As `joined`; a body that is not in memory leaves no garbage, and is overwritten by the next that is read so. */
export function joinedInPassing(chunks: readonly Chunk[] = []): Buffer {
  const [only] = chunks
  const from = only && chunks.length === 1 ? released.get(only) : undefined
  if (!from) return joined(chunks)
  const { buffer, byteOffset, length } = from.read(true)
  return Buffer.from(buffer, byteOffset, length)
}
