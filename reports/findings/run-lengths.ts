/** `token, token, done` as `2 × token, done`. */
export function runLengths(kinds: readonly string[]): readonly string[] {
  const starts = kinds.flatMap((kind, i) => (kind === kinds[i - 1] ? [] : [i]))
  return starts.map((start, i) => {
    const times = (starts[i + 1] ?? kinds.length) - start
    return times === 1 ? `${kinds[start]}` : `${times} × ${kinds[start]}`
  })
}
