/** Changes a text of any length, a part at a time. */

/** Gives a buffer of at least this size, whose bytes are those of its last use. */
export type Scratch = (size: number) => Buffer

/** Bytes that stay in memory between two uses. */
const kept = 1 << 20

export function createScratch(): Scratch {
  let buffer = Buffer.alloc(0)
  return (size) => {
    if (size > kept) return Buffer.allocUnsafeSlow(size)
    if (buffer.length < size) buffer = Buffer.allocUnsafeSlow(2 * size)
    return buffer
  }
}

const window = 1 << 16
const quote = 0x22

/**
 * The text as `change` leaves it, which must not lengthen it, in the bytes of `scratch`; the given text where nothing
 * changes. Each part that it is called with, but for the last, ends with a quote: what it changes may not reach across one.
 */
export function changed(text: Buffer, change: (part: string) => string, scratch: Scratch): Buffer {
  const into = scratch(text.length)
  let [end, isSame] = [0, true]
  for (let from = 0; from < text.length;) {
    const to = text.indexOf(quote, from + window) + 1 || text.length
    const part = text.toString('latin1', from, to)
    const now = change(part)
    isSame &&= now === part
    end += into.write(now, end, 'latin1')
    from = to
  }
  return isSame ? text : into.subarray(0, end)
}
