/** Finds any of many short texts in a long one, in one pass and in any case. Texts have one character per byte. */

/** So many last characters are compared first: secrets of one kind begin alike, and end each in its own way. */
const tail = 4

/** `of`: what is found with the needle. */
export function createNeedles<T>() {
  const byTail = new Map<number, { needle: string; of: T }[]>()
  /** Most tails are of no needle: 65,536 slots say so faster than the map. */
  const filter = new Uint8Array(1 << 16)
  return {
    add(given: string, of: T): void {
      if (given.length < tail) throw new Error(`a text of ${given.length} bytes is too short to look for`)
      const needle = lower(given)
      const key = Buffer.from(needle.slice(-tail), 'latin1').readInt32BE()
      filter[slotOf(key)] = 1
      byTail.set(key, [...(byTail.get(key) ?? []), { needle, of }])
    },
    *in(text: string): Generator<{ start: number; end: number; of: T }> {
      let key = 0
      for (let end = 1; end <= text.length; end++) {
        key = (key << 8) | (small[text.charCodeAt(end - 1)] as number)
        if (filter[slotOf(key)] === 0) continue
        for (const { needle, of } of byTail.get(key) ?? []) {
          const start = end - needle.length
          let at = start
          while (at >= 0 && at < end && small[text.charCodeAt(at)] === needle.charCodeAt(at - start)) at++
          if (at === end) yield { start, end, of }
        }
      }
    },
  }
}

/** Letters of ASCII alone: other characters are parts of UTF-8. */
const lower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
const small = Uint8Array.from({ length: 256 }, (_, code) => lower(String.fromCharCode(code)).charCodeAt(0))
const slotOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> 16
