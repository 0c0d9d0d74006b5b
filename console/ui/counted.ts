/** Counts as words; empty for none. */
export const counted = (count: number, noun: string): string =>
  count === 0 ? '' : count === 1 ? `1 ${noun}` : `${count} ${noun}s`

/** The name of one, and the count of more. */
export const namedOrCounted = (names: readonly string[], noun: string): string =>
  names.length === 1 ? `${noun} ${names[0]}` : counted(names.length, noun)
