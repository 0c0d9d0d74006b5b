/** Counts and times as words. */
/** Counts as words; empty for none. */
export const counted = (count: number, noun: string): string =>
  count === 0 ? '' : count === 1 ? `1 ${noun}` : `${count} ${noun}s`

/** The name of one, and the count of more. */
export const namedOrCounted = (names: readonly string[], noun: string): string =>
  names.length === 1 ? `${noun} ${names[0]}` : counted(names.length, noun)

/** Milliseconds as a person says them. */
export function duration(ms: number): string {
  const [unit, size] = units.find(([, , least]) => ms >= least) ?? ['ms', 1]
  return `${Math.round((ms / size) * 10) / 10} ${unit}`
}

/** Each from twice its size on, but seconds. */
const units = [
  ['days', 86_400_000, 172_800_000],
  ['h', 3_600_000, 3_600_000],
  ['min', 60_000, 120_000],
  ['s', 1_000, 1_000],
] as const
