/** Ids of our own that nothing was given. */
import type { Driver } from '../../scenario/driver.ts'

/** A run of letters and digits as long as this is not counted up. */
const opaque = 12

/**
 * As an id that was given, with one character in the middle of its longest part replaced by another of its kind:
 * prefixes, and the bits that the last character of an encoding has to spare, may not count. An id that is short,
 * or all digits, may be a number that goes up by one, whose neighbours exist: it gets nine digits more.
 */
export function untaken({ pick }: Pick<Driver, 'pick'>, id: string): string {
  const runs = [...id.matchAll(/[A-Za-z0-9]+/g)].sort((one, other) => other[0].length - one[0].length)
  const [run] = runs
  if (!run || run[0].length < opaque || /^\d+$/.test(run[0])) return `${id}${900_000_000 + pick(99_999_999)}`
  const middle = run.index + Math.floor(run[0].length / 2) + pick(3) - 1
  return `${id.slice(0, middle)}${another(id.charAt(middle), pick)}${id.slice(middle + 1)}`
}

/** Letters that hexadecimal digits are written with stay such letters. */
const kinds = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ']

function another(character: string, pick: Driver['pick']): string {
  const kind = kinds.find((letters) => letters.includes(character)) ?? '01'
  const others = kind.replace(character, '')
  return others.charAt(pick(others.length))
}
