/** Two long texts, shown from the place where they differ. */

/** Characters that both may begin with before the beginning is left out. */
const mostAlike = 60
/** Characters of the common beginning that stay. */
const lead = 20

/** Returns both texts; if both are long and begin alike, without the common beginning. */
export function fromDifference(
  expected: string | undefined,
  got: string | undefined,
): readonly [string | undefined, string | undefined] {
  if (expected === undefined || got === undefined) return [expected, got]
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at++
  if (at < mostAlike || expected === got) return [expected, got]
  return [tail(expected, at), tail(got, at)]
}

function tail(text: string, at: number): string {
  return `… (${at - lead} equal characters) ${text.slice(at - lead).toWellFormed()}`
}
