/**
 * Fresh keys, texts and ids, and reproducible choices. What the target may remember (keys, texts, ids) differs
 * from run to run by the nonce; what decides the scenario (`pick`) depends on the seed alone.
 */
import { createHash } from 'node:crypto'

export interface ValueSource {
  /** A key never used before, ASCII, under 64 characters. */
  key(): string
  /** ASCII sentences of exactly this many characters, without white space at either end. */
  text(length?: number): string
  uuid(): string
  /** A whole number in [0, below). */
  pick(below: number): number
}

const words =
  'about after along answer before booking change city clear colour could day early evening family first garden green hotel house kind later letter light little lunch market menu morning music near order other paper people place plain quiet river room season small street table today ticket train travel visit water weather week white window winter tenant write'.split(
    ' ',
  )

/** `nonce` is unique to the run, `scope` to the scenario within it. */
export function createSource(seed: number, nonce: string, scope: string): ValueSource {
  let fresh = 0
  let picks = 0
  const next = (kind: string): string => hash(`${kind} ${seed} ${nonce} ${scope} ${++fresh}`)
  return {
    key: () => `touchstone-${next('key').slice(0, 32)}`,
    text: (length = 40) => sentences(next('text'), length),
    uuid: () => uuidFrom(next('uuid')),
    pick: (below) => Number.parseInt(hash(`pick ${seed} ${scope} ${++picks}`).slice(0, 12), 16) % below,
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Begins with letters of the hash, so that texts of eight characters and more differ even when short. */
function sentences(digest: string, length: number): string {
  const tag = digest.slice(0, 8).replaceAll(/\d/g, (digit) => 'ghjkmnpqrs'.charAt(Number(digit)))
  let text = tag.charAt(0).toUpperCase() + tag.slice(1)
  for (let i = 0; text.length < length; i++) {
    const word = words[(digest.charCodeAt(i % digest.length) * 7 + i * 13) % words.length] ?? 'word'
    text += i % 9 === 8 ? `. ${word.charAt(0).toUpperCase()}${word.slice(1)}` : ` ${word}`
  }
  if (length < 10) return text.slice(0, length).replace(' ', 's')
  return `${text.slice(0, length - 1).replace(/[ .]+$/, (end) => 's'.repeat(end.length))}.`
}

function uuidFrom(digest: string): string {
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(16), 16) % 4)
  const [a, b, c, d] = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(13, 16), digest.slice(17, 20)]
  return `${a}-${b}-4${c}-${variant}${d}-${digest.slice(20, 32)}`
}
