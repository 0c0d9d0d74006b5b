/** Whether any of many short texts is in a long one, in one pass over its bytes. */

export interface Needles {
  add(needle: Uint8Array): void
  areIn(bytes: Uint8Array): boolean
}

/** So many last bytes are compared first: secrets of one kind begin alike, and end each in its own way. */
const tail = 4

export function createNeedles(): Needles {
  const byTail = new Map<number, Uint8Array[]>()
  const filter = new Uint8Array(1 << 16)
  return {
    add(needle) {
      if (needle.length < tail) throw new Error(`a text of ${needle.length} bytes is too short to look for`)
      const key = needle.subarray(-tail).reduce(shifted, 0)
      filter[slotOf(key)] = 1
      byTail.set(key, [...(byTail.get(key) ?? []), needle])
    },
    areIn(bytes) {
      let key = 0
      for (let at = 0; at < bytes.length; at++) {
        key = shifted(key, bytes[at] ?? 0)
        if (filter[slotOf(key)] === 0) continue
        if (byTail.get(key)?.some((needle) => endsAt(needle, bytes, at + 1))) return true
      }
      return false
    },
  }
}

const shifted = (key: number, byte: number): number => (key << 8) | byte
const slotOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> 16

function endsAt(needle: Uint8Array, bytes: Uint8Array, end: number): boolean {
  const start = end - needle.length
  return start >= 0 && needle.every((byte, i) => byte === bytes[start + i])
}
