/**
 * A first look for pieces of text, many at once and in one pass, before a pattern is tried: in whatever way
 * `spellings.ts` knows to write a piece, it is found here. Now and then something else is taken for it.
 */

/** So many characters in a row are looked for. */
export const pieceLength = 6

export interface Suspicion {
  /** `piece`: so many characters that are calm. */
  add(piece: string, id: number): void
  /** Tells each piece that may be there, with where it begins. `text`: a character per byte. */
  look(text: string, found: Found): void
}

type Found = (id: number, at: number) => void

/** Characters that are written as they are, percent-encoded, as a JSON escape or by number, and in no other way. */
export function isCalm(piece: string): boolean {
  return /^[\w!#$()*+,./:;=?@^`{|}~[\]-]*$/.test(piece)
}

export function createSuspicion(): Suspicion {
  const ids = new Map<number, number[]>()
  // Tells most of what is read apart already, in a small part of the time.
  const filter = new Uint8Array(1 << 16)
  const tell = (packed: number, at: number, found: Found): void => {
    if (filter[slotOf(packed)] === 0) return
    for (const id of ids.get(packed) ?? []) found(id, at)
  }
  return {
    add(piece, id) {
      const packed = packedAt(piece, 0)
      filter[slotOf(packed)] = 1
      ids.set(packed, [...(ids.get(packed) ?? []), id])
    },
    look(text, found) {
      if (ids.size > 0) eachPiece(text, (packed, at) => tell(packed, at, found))
    },
  }
}

/** Every piece that a text can be read as, packed, with where it begins. */
function eachPiece(text: string, piece: (packed: number, at: number) => void): void {
  const begins = new Int32Array(pieceLength)
  let packed = 0
  let count = 0
  const unit: Unit = { code: 0, from: 0, next: 0 }
  for (let at = 0; at < text.length; at = unit.next) {
    read(text, at, unit)
    // What looks like an escape may be none: a piece may begin anywhere in it.
    for (let inside = Math.max(unit.from, at + 1); inside < unit.next; inside++)
      piece(packedAt(text, inside), inside)
    if (unit.code === nothing) continue
    begins[count++ % pieceLength] = at
    packed = pack(packed, unit.code)
    if (count >= pieceLength) piece(packed, begins[count % pieceLength] ?? 0)
  }
}

/** The piece that is read from a place on; of what is too short, something that is none. */
function packedAt(text: string, at: number): number {
  const unit: Unit = { code: 0, from: 0, next: at }
  let packed = 0
  for (let count = 0; count < pieceLength && unit.next < text.length;) {
    read(text, unit.next, unit)
    if (unit.code === nothing) continue
    packed = pack(packed, unit.code)
    count++
  }
  return packed
}

interface Unit {
  /** Of the character, or `nothing`. */
  code: number
  /** Past the backslashes that it begins with. */
  from: number
  /** Where the next one begins. */
  next: number
}

const [percent, ampersand, backslash, nothing] = [0x25, 0x26, 0x5c, -1]
const [letterU, digit2, digit5] = [0x75, 0x32, 0x35]

/** One character, escaped or not. Backslashes before anything else may stand before that alone, and are passed over. */
function read(text: string, at: number, unit: Unit): void {
  const code = text.charCodeAt(at)
  unit.code = code
  unit.from = at
  unit.next = at + 1
  if (code === percent) readPercent(text, at, unit)
  else if (code === backslash) readBackslashes(text, at, unit)
  else if (code === ampersand) readEntity(text, at, unit)
}

const entity = /&(?:amp;)*#(?:0*(\d{1,3})|[xX]0*([\da-fA-F]{1,2}));?/y

/** `&#45;`, and `&amp;#45;` and so on. */
function readEntity(text: string, at: number, unit: Unit): void {
  entity.lastIndex = at
  const [found, decimal, hex] = entity.exec(text) ?? []
  if (found === undefined) return
  unit.code = (decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) & 0xff
  unit.next = at + found.length
}

/** `%41`, and `%2541` and so on, which were encoded over again. */
function readPercent(text: string, at: number, unit: Unit): void {
  let digits = at + 1
  if (hexAt(text, digits, 2) < 0) return
  while (
    text.charCodeAt(digits) === digit2 &&
    text.charCodeAt(digits + 1) === digit5 &&
    hexAt(text, digits + 2, 2) >= 0
  )
    digits += 2
  unit.code = hexAt(text, digits, 2)
  unit.next = digits + 2
}

function readBackslashes(text: string, at: number, unit: Unit): void {
  let end = at + 1
  while (text.charCodeAt(end) === backslash) end++
  const code = text.charCodeAt(end) === letterU ? hexAt(text, end + 1, 4) : -1
  unit.from = end
  unit.code = code < 0 ? nothing : code & 0xff
  unit.next = code < 0 ? end : end + 5
}

/** The number that hexadecimal digits are; -1 where they are not. */
function hexAt(text: string, at: number, length: number): number {
  let value = 0
  for (let i = 0; i < length; i++) {
    const digit = digits[text.charCodeAt(at + i)] ?? -1
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

const digits = Int8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return digit
})

/** 5 bits of each character: the same for both cases, and for what stands for the same in the alphabets of base64. */
const bitsOf = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase()
  const plain = { '+': '-', '/': '_' }[character] ?? character
  return (plain.charCodeAt(0) * 11) & 31
})

function pack(packed: number, code: number): number {
  return ((packed << 5) | (bitsOf[code] ?? 0)) & 0x3fffffff
}

function slotOf(packed: number): number {
  return Math.imul(packed, 0x9e3779b1) >>> 16
}
