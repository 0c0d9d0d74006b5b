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

/** How many of a kind are remembered, and the bytes or characters of one: most of a recording has been there before. */
const most = { remembered: 10_000, bytes: 1 << 16, characters: 200 }

function remembering<T>(): (name: string, make: () => T) => T {
  const known = new Map<string, T>()
  return (name, make) => {
    const made = known.get(name) ?? make()
    if (known.size === most.remembered) known.clear()
    known.set(name, made)
    return made
  }
}

const [bodies, headers, texts] = [remembering<Uint8Array>(), remembering<Header>(), remembering<string>()]
let slab = new Uint8Array()
let used = 0

/** A copy, the same for the same bytes. It lies beside others: a buffer of its own takes many times a small body. */
export function sharedBody(bytes: Uint8Array): Uint8Array {
  if (bytes.length > most.bytes) return new Uint8Array(bytes)
  return bodies(hash('sha256', bytes, 'base64'), () => {
    if (used + bytes.length > slab.length) [slab, used] = [new Uint8Array(16 * most.bytes), 0]
    const copy = slab.subarray(used, (used += bytes.length))
    copy.set(bytes)
    return copy
  })
}

export function sharedHeader(name: string, value: string): Header {
  const make = (): Header => [name, value]
  return value.length > most.characters ? make() : headers(`${name}\n${value}`, make)
}

export function sharedText(text: string): string {
  return text.length > most.characters ? text : texts(text, () => text)
}
