/** Finds any of many short texts in a long one, in one pass over its bytes and in any case. */

export interface FoundNeedle {
  start: number
  end: number
  /** What was given with the needle. */
  id: number
}

export interface Needles {
  add(needle: Uint8Array, id: number): void
  /** Calls `onFound` with each, until it returns true. */
  in(bytes: Uint8Array, onFound: (found: FoundNeedle) => boolean): void
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
    in(bytes, onFound) {
      const { length } = bytes
      let key = 0
      for (let end = 1; end <= length; end++) {
        key = (key << 8) | (lower[bytes[end - 1] as number] as number)
        if (filter[slotOf(key)] === 0) continue
        for (const { bytes: needle, id } of byTail.get(key) ?? [])
          if (endsAt(needle, bytes, end) && onFound({ start: end - needle.length, end, id })) return
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
