/** Where a generator stands: its four words. */
export type RandomPosition = readonly [number, number, number, number]

/** Everything that looks like chance comes from here: the same seed gives the same ids, keys and texts. */
export interface Random {
  readonly position: RandomPosition
  /** Continues from a position of any generator. */
  moveTo(position: RandomPosition): void
  /** A whole number in [0, 2^32). */
  next(): number
  /** A whole number in [0, below). */
  below(below: number): number
  uuid(): string
  uuidDigits(): string
  word(length: number): string
  /** A generator of its own, for a purpose that must not affect this one. */
  fork(label: string): Random
}

const alphabet = Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')

/** FNV-1a: spreads a text over 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193)
  return state >>> 0
}

export function createRandom(seed: string): Random {
  // sfc32, seeded by four spreads of the text; the first draws are thrown away so that near seeds differ.
  let a = hash(seed)
  let b = hash(`${seed}/b`)
  let c = hash(`${seed}/c`)
  let count = 1
  const next = (): number => {
    const sum = (((a + b) | 0) + count) | 0
    count = (count + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let i = 0; i < 12; i++) next()

  const below = (limit: number): number => Math.floor((next() / 0x1_0000_0000) * limit)
  return {
    get position() {
      return [a, b, c, count] as const
    },
    moveTo: (position) => void ([a, b, c, count] = position),
    next,
    below,
    uuid: () => uuidOf(dashed, next(), next(), next(), next()),
    uuidDigits: () => uuidOf(plain, next(), next(), next(), next()),
    word: (length) => {
      const text = Buffer.allocUnsafe(length)
      for (let at = 0; at < length; at++) text[at] = alphabet[below(alphabet.length)] ?? 0
      return text.toString('latin1')
    },
    fork: (label) => createRandom(`${seed}/${label}`),
  }
}

/** Where each byte stands in a text, and the text itself, written anew for each uuid. */
interface Layout {
  readonly places: readonly number[]
  readonly text: Buffer
}

const dashed: Layout = {
  places: [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34],
  text: Buffer.alloc(36, '-'),
}
const plain: Layout = { places: dashed.places.map((_, index) => 2 * index), text: Buffer.alloc(32) }
const digits = Buffer.from('0123456789abcdef')

function writeByte({ places, text }: Layout, index: number, byte: number): void {
  const place = places[index] ?? 0
  text[place] = digits[byte >>> 4] ?? 0
  text[place + 1] = digits[byte & 0xf] ?? 0
}

function writeWord(layout: Layout, index: number, word: number): void {
  for (let at = 0; at < 4; at++) writeByte(layout, index + at, (word >>> (24 - 8 * at)) & 0xff)
}

/** One text, and not the many parts of a concatenation: it is remembered for long. */
function uuidOf(layout: Layout, w0: number, w1: number, w2: number, w3: number): string {
  writeWord(layout, 0, w0)
  writeWord(layout, 4, (w1 & 0xffff0fff) | 0x4000)
  writeWord(layout, 8, (w2 & 0x3fffffff) | 0x80000000)
  writeWord(layout, 12, w3)
  return layout.text.toString('latin1')
}
