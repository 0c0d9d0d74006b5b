/** What is wrong with a value that a header has to carry, as the predicate of a sentence; null where nothing is. */
export function headerValueProblem(value: string): string | null {
  return /[^\t\x20-\x7e\x80-\xff]/.test(value)
    ? 'has a line break or another character that no header may contain; check the value'
    : null
}
