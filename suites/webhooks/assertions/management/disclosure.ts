/** Judges whether a response discloses a secret. */
import type { Judgement } from '../../../scenario/scenario.ts'
import { type Exchange, text } from '../../../wire/exchange.ts'
import { check } from '../../../scenario/expect.ts'
import { judgeEntry } from './webhook-record.ts'

/** Shorter secrets occur in other text by chance. */
export const leastLength = 8

export function shownText(exchange: Exchange): string {
  const headers = exchange.response?.headers ?? []
  return [...headers.map(([name, value]) => `${name}: ${value}`), text(exchange).text].join('\n')
}

/** The entry has no `secret_key`, or an empty one such as null. */
export function hasNoSecretKey(list: Exchange, creation: Exchange): Judgement {
  return judgeEntry(list, creation, ({ secret_key: key }) =>
    check((key ?? '') === '', 'no `secret_key`', `a \`secret_key\` in the list`, list),
  )
}

/** A prefix that only names the kind of secret, such as `whsec_`. */
const label = /^[A-Za-z]{1,10}[_-]/

export function coreOf(secret: string): string {
  return secret.replace(label, '')
}

/**
 * How many characters of a secret a masked form shows: at its ends, as the longest common part, or at their positions
 * in a form of the same length. A prefix that names the kind does not count. Infinite if all of it is shown.
 */
export function shownCharacters(secret: string, preview: string): number {
  const core = coreOf(secret)
  if (preview.includes(core)) return Number.POSITIVE_INFINITY
  const rest = preview.startsWith(secret.slice(0, secret.length - core.length))
    ? preview.slice(secret.length - core.length)
    : preview
  const ends = common(core, rest) + common(reversed(core), reversed(rest))
  // The length of the longest part of `text` within `within`.
  let longest = 0
  for (let start = 0; start < core.length; start++)
    while (start + longest < core.length && rest.includes(core.slice(start, start + longest + 1))) longest++
  return Math.max(Math.min(ends, core.length), longest, inPlace(core, rest))
}

/** The number of characters at their position, in a form as long as the secret. */
function inPlace(core: string, rest: string): number {
  if (core.length !== rest.length) return 0
  return Array.from(core).filter((character, index) => rest[index] === character).length
}

function common(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('')
}
