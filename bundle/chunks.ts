/** Bodies may be megabytes, and are read often: none is copied for that. */
import type { Chunk } from './exchange.ts'

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

/** Texts that are remembered: how many, and of how many characters at most. */
const most = { remembered: 10_000, characters: 200 }
const texts = new Map<string, string>()

/** The same text, in memory once: most of a recording has been there before. */
export function sharedText(text: string): string {
  if (text.length > most.characters) return text
  const known = texts.get(text) ?? text
  if (texts.size === most.remembered) texts.clear()
  texts.set(known, known)
  return known
}
