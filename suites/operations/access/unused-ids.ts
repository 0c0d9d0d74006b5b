/** Ids that do not exist on the target. */
import type { Driver } from '../../scenario/scenario.ts'

/** An alphanumeric part of at least this length is not sequential. */
const opaque = 12

/**
 * Changes one character in the middle of the longest part of an existing id to another of its kind, since prefixes
 * and the spare bits of a last character may not count. A short or numeric id may be sequential, so nine digits are
 * appended instead.
 */
export function unusedIdLike({ pick }: Pick<Driver, 'pick'>, id: string): string {
  const runs = [...id.matchAll(/[A-Za-z0-9]+/g)].sort((one, other) => other[0].length - one[0].length)
  const [run] = runs
  if (!run || run[0].length < opaque || /^\d+$/.test(run[0])) return `${id}${900_000_000 + pick(99_999_999)}`
  const middle = run.index + Math.floor(run[0].length / 2) + pick(3) - 1
  return `${id.slice(0, middle)}${another(id.charAt(middle), pick)}${id.slice(middle + 1)}`
}

/** Letters used in hexadecimal digits stay hexadecimal. */
const kinds = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ']

function another(character: string, pick: Driver['pick']): string {
  const kind = kinds.find((letters) => letters.includes(character)) ?? '01'
  const others = kind.replace(character, '')
  return others.charAt(pick(others.length))
}
