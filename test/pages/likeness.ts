/** Pictures of a page: small enough to be kept beside the code, and how far two of them are apart. */
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** Of each colour so many steps are distinguished; finer ones would triple the size of a file. */
const step = 48

/** The same picture with fewer colours. */
export function coarse(picture: Buffer): Buffer {
  const png = PNG.sync.read(picture)
  // The fourth byte says how opaque a pixel is: all are, and stay so.
  for (const [at, value] of png.data.entries()) if (at % 4 < 3) png.data[at] = Math.round(value / step) * step
  return PNG.sync.write(png, { colorType: 2 })
}

/**
 * The share of pixels that differ, from 0 to 1. What only one of the two has differs. Edges of letters may be
 * drawn otherwise by another version of a font or of a browser: what looks like that is let pass.
 */
export function apart(one: Buffer, other: Buffer): number {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)]
  const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)]
  const sheets = [spread(a, width, height, 0), spread(b, width, height, 255)] as const
  return pixelmatch(...sheets, undefined, width, height, { threshold: 0.2 }) / (width * height)
}

/** On a sheet of that size; what it does not cover is of a colour that the other does not have there. */
function spread({ width, height, data }: PNG, wide: number, tall: number, empty: number): Buffer {
  const sheet = Buffer.alloc(4 * wide * tall, empty)
  for (let row = 0; row < height; row += 1)
    data.copy(sheet, 4 * wide * row, 4 * width * row, 4 * width * (row + 1))
  return sheet
}
