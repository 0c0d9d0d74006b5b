/** Changes a text of any length a part at a time, so that it is in memory as bytes alone. */

/** Least bytes of a part. */
const least = 1 << 16

/** Memory that is used again. */
export interface Scratch {
  /** At least so many bytes, among them those of its last use. */
  take(size: number): Buffer
  /** Frees what is more than usual, at once: nothing may be read from it any more. */
  shrink(): void
}

const usual = 1 << 20

export function createScratch(): Scratch {
  let buffer = Buffer.alloc(0)
  return {
    take(size) {
      if (buffer.length < size) buffer = Buffer.allocUnsafeSlow(Math.max(size, least))
      return buffer
    },
    shrink() {
      if (buffer.length <= usual) return
      buffer.buffer.transfer(0)
      buffer = Buffer.alloc(0)
    },
  }
}

/**
 * The text as `change` leaves it, which must not lengthen it, in the bytes of `scratch`; the given text where nothing
 * changes. What is changed may not reach across a quote.
 */
export function rewritten(text: Buffer, change: (part: string) => string, scratch: Scratch): Buffer {
  const into = scratch.take(text.length)
  let [end, isSame] = [0, true]
  for (let from = 0; from < text.length;) {
    const to = text.indexOf('"', from + least) + 1 || text.length
    const part = text.toString('latin1', from, to)
    const now = change(part)
    isSame &&= now === part
    end += into.write(now, end, 'latin1')
    from = to
  }
  return isSame ? text : into.subarray(0, end)
}
