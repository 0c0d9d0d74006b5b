/** Bodies and headers of many exchanges in little memory. Bodies may be megabytes, and are read often: none is copied for that. */
import type { Chunk, Header } from './exchange.ts'

export function lengthOf(chunks: readonly Chunk[] = []): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

/** The same reads, consecutive in one buffer. */
export function packed(chunks: readonly Chunk[]): readonly Chunk[] {
  const whole = new Uint8Array(lengthOf(chunks))
  let end = 0
  return chunks.map(({ at, bytes }) => {
    whole.set(bytes, end)
    return { at, bytes: whole.subarray(end, (end += bytes.length)) }
  })
}

/** All bytes, not to be changed: a view of the buffer where they were packed, else a copy. */
export function joined(chunks: readonly Chunk[] = []): Buffer {
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

const slabBytes = 1 << 20
let slab = new Uint8Array()
let used = 0

/** A copy beside others in one buffer: a small body with a buffer of its own takes many times its bytes. */
export function besideOthers(bytes: Uint8Array): Uint8Array {
  if (bytes.length > slabBytes / 16) return new Uint8Array(bytes)
  if (used + bytes.length > slab.length) [slab, used] = [new Uint8Array(slabBytes), 0]
  const copy = slab.subarray(used, (used += bytes.length))
  copy.set(bytes)
  return copy
}

const headers = new Map<string, Header>()
/** Headers that are remembered, and characters of each: the same few are in every exchange. */
const most = { headers: 10_000, characters: 200 }

/** The same object for the same header. */
export function sharedHeader(name: string, value: string): Header {
  const line = `${name}\n${value}`
  const known = headers.get(line)
  if (known) return known
  const header = [name, value] as const
  if (headers.size === most.headers) headers.clear()
  if (line.length <= most.characters) headers.set(line, header)
  return header
}
