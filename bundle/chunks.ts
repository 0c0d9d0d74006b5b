/** Bodies and headers of many exchanges in little memory. Bodies may be megabytes, and are read often: none is copied for that. */
import { hash } from 'node:crypto'
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

/** Bodies and headers that are remembered, and the bytes and characters of one: most of a recording has been there before. */
const most = { bodies: 10_000, bytes: 1 << 16, headers: 10_000, characters: 200 }
const bodies = new Map<string, Uint8Array>()
let slab = new Uint8Array()
let used = 0

/** A copy, the same for the same bytes. It lies beside others: a buffer of its own takes many times a small body. */
export function sharedBody(bytes: Uint8Array): Uint8Array {
  if (bytes.length > most.bytes) return new Uint8Array(bytes)
  const digest = hash('sha256', bytes, 'base64')
  const known = bodies.get(digest)
  if (known) return known
  if (used + bytes.length > slab.length) [slab, used] = [new Uint8Array(16 * most.bytes), 0]
  const copy = slab.subarray(used, (used += bytes.length))
  copy.set(bytes)
  if (bodies.size === most.bodies) bodies.clear()
  bodies.set(digest, copy)
  return copy
}

const headers = new Map<string, Header>()

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
