/** Everything that looks like chance comes from here: the same seed gives the same ids, keys and texts. */
export interface Random {
  /** A whole number in [0, 2^32). */
  next(): number
  /** A whole number in [0, below). */
  below(below: number): number
  /** A uuid of version 4. */
  uuid(): string
  /** `length` letters and digits. */
  word(length: number): string
  /** A generator of its own, for a purpose that must not affect this one. */
  fork(label: string): Random
}

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

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
    next,
    below,
    uuid: () => uuidOf(next(), next(), next(), next()),
    word: (length) => Array.from({ length }, () => alphabet[below(alphabet.length)]).join(''),
    fork: (label) => createRandom(`${seed}/${label}`),
  }
}

function byte(word: number, shift: number): string {
  return hex[(word >>> shift) & 0xff] ?? ''
}

function uuidOf(w0: number, w1: number, w2: number, w3: number): string {
  const version = (w1 & 0xffff0fff) | 0x4000
  const kind = (w2 & 0x3fffffff) | 0x80000000
  const head = byte(w0, 24) + byte(w0, 16) + byte(w0, 8) + byte(w0, 0)
  const middle = `${byte(version, 24)}${byte(version, 16)}-${byte(version, 8)}${byte(version, 0)}`
  const node = byte(kind, 8) + byte(kind, 0) + byte(w3, 24) + byte(w3, 16) + byte(w3, 8) + byte(w3, 0)
  return `${head}-${middle}-${byte(kind, 24)}${byte(kind, 16)}-${node}`
}
