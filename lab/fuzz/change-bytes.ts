/** Changes of bytes that know nothing of what they mean. */
import type { Draw } from './draw.ts'

type Change = (bytes: Buffer, draw: Draw, tokens: readonly string[], others: readonly Uint8Array[]) => Buffer

/** No input becomes larger; what is long on purpose is made by those who know of what. */
const most = 65_536

const cut = (bytes: Buffer, draw: Draw): [number, number] => {
  const from = draw.below(bytes.length + 1)
  return [from, Math.min(bytes.length, from + draw.below(draw.chance(80) ? 16 : bytes.length + 1))]
}
const put = (bytes: Buffer, from: number, to: number, between: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(to)])

/** What readers of text stumble over, whatever the text is. */
const strange = [
  '\0', '\r', '\n', '\r\n', '\n\n', '\t', '\u2028', '\ufeff', '\u00e9', '\ud83d\ude00', '__proto__',
  'constructor', '-1', '0', '1e999', '9007199254740993', '99999999999999999999', 'NaN', 'null', '%00', '%zz',
  '../', '"', "'", '\\', '\\u0000', '\\ud800', '[', '{', ']', '}', ',', ':', ';', '=', '#', '*', '&', '${x}',
] // prettier-ignore

/** Bytes that are no UTF-8. */
const broken = ['ff', 'fe', 'c0af', 'eda080', 'f8888080', '80', 'e282'].map((hex) => Buffer.from(hex, 'hex'))

const changes: Readonly<Record<string, Change>> = {
  flipBit(bytes, draw) {
    const copy = Buffer.from(bytes)
    const at = draw.below(copy.length)
    copy[at] = (copy[at] ?? 0) ^ (1 << draw.below(8))
    return copy
  },
  setByte(bytes, draw) {
    const copy = Buffer.from(bytes)
    copy[draw.below(copy.length)] = draw.below(256)
    return copy
  },
  remove: (bytes, draw) => put(bytes, ...cut(bytes, draw), Buffer.alloc(0)),
  repeat(bytes, draw) {
    const [from, to] = cut(bytes, draw)
    return put(bytes, to, to, bytes.subarray(from, to))
  },
  move(bytes, draw) {
    const [from, to] = cut(bytes, draw)
    const at = draw.below(bytes.length + 1)
    return put(bytes, at, at, bytes.subarray(from, to))
  },
  insert(bytes, draw, tokens) {
    const at = draw.below(bytes.length + 1)
    return put(bytes, at, at, Buffer.from(draw.from(draw.chance(60) && tokens.length > 0 ? tokens : strange)))
  },
  overwrite(bytes, draw, tokens) {
    const token = draw.from(draw.chance(60) && tokens.length > 0 ? tokens : strange)
    return put(bytes, ...cut(bytes, draw), Buffer.from(token))
  },
  breakText(bytes, draw) {
    const at = draw.below(bytes.length + 1)
    return put(bytes, at, at, draw.from(broken))
  },
  splice(bytes, draw, _, others) {
    const other = Buffer.from(draw.from(others))
    return Buffer.concat([
      bytes.subarray(0, cut(bytes, draw)[0]),
      other.subarray(draw.below(other.length + 1)),
    ])
  },
  double: (bytes) => Buffer.concat([bytes, bytes]),
  number(bytes, draw) {
    const text = bytes.toString('latin1')
    const found = [...text.matchAll(/\d+/g)]
    if (found.length === 0) return bytes
    const { index, 0: digits } = draw.from(found)
    const other = draw.from(['0', '-1', '1e308', '2147483648', '4294967296', '9007199254740993', '0.5', '00', '1'.repeat(400), `${Number(digits) + 1}`, `${Number(digits) - 1}`]) // prettier-ignore
    return put(bytes, index, index + digits.length, Buffer.from(other))
  },
}
const all = Object.values(changes)

/** One to a few changes. `tokens`: words that the reader of these bytes knows. */
export function changeBytes(
  seed: Uint8Array,
  draw: Draw,
  others: readonly Uint8Array[],
  tokens: readonly string[] = [],
): Uint8Array {
  let bytes = Buffer.from(seed)
  for (let left = 1 + draw.below(draw.chance(80) ? 3 : 12); left > 0; left--) {
    if (bytes.length === 0) bytes = Buffer.from(' ')
    bytes = Buffer.from(draw.from(all)(bytes, draw, tokens, others).subarray(0, most))
  }
  return bytes
}
