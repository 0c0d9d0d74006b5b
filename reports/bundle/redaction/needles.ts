/** Finds any of many short texts in a long one, in one pass over its bytes and in any case. */

export interface FoundNeedle {
  start: number
  end: number
  /** What was given with the needle. */
  id: number
}

export interface Needles {
  add(needle: Uint8Array, id: number): void
  in(bytes: Uint8Array): Iterable<FoundNeedle>
}

interface Needle {
  bytes: Uint8Array
  id: number
}

/** So many last bytes are compared first: secrets of one kind begin alike, and end each in its own way. */
const tail = 4

export function createNeedles(): Needles {
  const byTail = new Map<number, Needle[]>()
  const filter = new Uint8Array(1 << 16)
  return {
    add(needle, id) {
      if (needle.length < tail) throw new Error(`a text of ${needle.length} bytes is too short to look for`)
      const bytes = needle.map((byte) => lower[byte] ?? 0)
      const key = bytes.subarray(-tail).reduce(shifted, 0)
      filter[slotOf(key)] = 1
      byTail.set(key, [...(byTail.get(key) ?? []), { bytes, id }])
    },
    *in(bytes) {
      let key = 0
      for (let at = 0; at < bytes.length; at++) {
        key = shifted(key, lower[bytes[at] ?? 0] ?? 0)
        if (filter[slotOf(key)] === 0) continue
        for (const needle of byTail.get(key) ?? [])
          if (endsAt(needle.bytes, bytes, at + 1))
            yield { start: at + 1 - needle.bytes.length, end: at + 1, id: needle.id }
      }
    },
  }
}

/** Of each byte, the small letter where it is an ASCII letter. */
const lower = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte))
const shifted = (key: number, byte: number): number => (key << 8) | byte
const slotOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> 16

function endsAt(needle: Uint8Array, bytes: Uint8Array, end: number): boolean {
  const start = end - needle.length
  return start >= 0 && needle.every((byte, i) => byte === lower[bytes[start + i] ?? 0])
}
