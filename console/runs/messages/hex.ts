/** Bytes in rows of sixteen, with a row above each part that arrived by itself. */

interface BytesRow {
  readonly key: string
  readonly offset: string
  readonly hex: string
  readonly text: string
}

interface ArrivalRow {
  readonly key: string
  /** Counts from 1. */
  readonly number: number
  readonly at: number
  readonly size: number
}

const width = 16

const twoDigits = (byte: number): string => byte.toString(16).padStart(2, '0')
const printable = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')

function bytesRow(bytes: Uint8Array, offset: number): BytesRow {
  const digits = Array.from(bytes, twoDigits)
  const halves = [digits.slice(0, 8), digits.slice(8)].map((half) => half.join(' '))
  return {
    key: String(offset),
    offset: offset.toString(16).padStart(6, '0'),
    hex: halves.join('  ').padEnd(width * 3, ' '),
    text: Array.from(bytes, printable).join(''),
  }
}

/** Offsets count through all parts. */
export function hexRows(
  parts: readonly { at: number; bytes: Uint8Array }[],
): readonly (BytesRow | ArrivalRow)[] {
  let offset = 0
  return parts
    .filter(({ bytes }) => bytes.length > 0)
    .flatMap(({ at, bytes }, index) => {
      const rows: (BytesRow | ArrivalRow)[] = [
        { key: `part ${index}`, number: index + 1, at, size: bytes.length },
      ]
      for (let from = 0; from < bytes.length; from += width)
        rows.push(bytesRow(bytes.subarray(from, from + width), offset + from))
      offset += bytes.length
      return rows
    })
}
