/** What two texts have in common, word by word. */

export interface Piece {
  readonly text: string
  readonly same: boolean
}

/** Words compared with one another: a page has to stay quick with any text. */
const mostComparisons = 400_000

const wordsIn = (text: string): readonly string[] => text.match(/\s+|\w+|[^\w\s]/gu) ?? []

/** Both texts in pieces: those that the other has, too, in this order, and those that it has not. */
export function differenceOf(one: string, other: string): readonly [readonly Piece[], readonly Piece[]] {
  const [left, right] = [wordsIn(one), wordsIn(other)]
  if (left.length * right.length > mostComparisons)
    return [[{ text: one, same: false }], [{ text: other, same: false }]]
  const common = commonWords(left, right)
  return [pieces(left, new Set(common.map(([at]) => at))), pieces(right, new Set(common.map(([, at]) => at)))]
}

/** The places of the longest common subsequence. */
function commonWords(
  left: readonly string[],
  right: readonly string[],
): readonly (readonly [number, number])[] {
  const width = right.length + 1
  const lengths = new Uint32Array((left.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const found: [number, number][] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length)
    if (left[i] === right[j]) found.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  return found
}

/** Neighbours of one kind are one piece; a space between two differing words differs with them. */
function pieces(words: readonly string[], shared: ReadonlySet<number>): readonly Piece[] {
  const isSame = (at: number): boolean =>
    shared.has(at) && !(words[at]?.trim() === '' && !shared.has(at - 1) && !shared.has(at + 1))
  const joined: { text: string; same: boolean }[] = []
  words.forEach((text, at) => {
    const last = joined.at(-1)
    const same = isSame(at)
    if (last?.same === same) last.text += text
    else joined.push({ text, same })
  })
  return joined
}
