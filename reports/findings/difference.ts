/** Two long texts, shown from the place where they differ. */

/** Characters that both may begin with before the beginning is left out. */
const mostAlike = 40
/** Characters of the common beginning that stay. */
const lead = 20
/** Shorter texts are compared at a glance. */
const long = 40

/**
 * Returns both texts; if both are long and begin alike, with `▸` where they first differ, and without the beginning
 * that both have.
 */
export function fromDifference(
  expected: string | undefined,
  got: string | undefined,
): readonly [string | undefined, string | undefined] {
  if (expected === undefined || got === undefined || expected === got) return [expected, got]
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at++
  if (isHalf(expected, at)) at--
  if (at < lead || Math.min(expected.length, got.length) < long) return [expected, got]
  return [marked(expected, at), marked(got, at)]
}

const isHalf = (text: string, at: number): boolean => /^[\udc00-\udfff]/.test(text.slice(at, at + 1))

function marked(text: string, at: number): string {
  const [before, rest] = [text.slice(0, at), text.slice(at)]
  if (at < mostAlike) return `${before}▸${rest}`
  return `… (${at - lead} equal characters) ${before.slice(at - lead).toWellFormed()}▸${rest}`
}
