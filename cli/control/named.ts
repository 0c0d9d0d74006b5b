/** Finds what a command line names among what the simulator has. */
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'

/** The item with this name; an item can have several. Throws a UsageError that lists the first name of each item. */
export function namedItem<T>(
  kind: string,
  word: string,
  items: readonly T[],
  namesOf: (item: T) => readonly string[],
): T {
  const found = items.find((item) => namesOf(item).includes(word))
  if (found !== undefined) return found
  const names = items.map((item) => namesOf(item)[0] ?? '')
  const advice = names.length === 0 ? 'there is none' : alternatives(word, names)
  throw new UsageError(`no ${kind} ${word}; ${advice.replace(/(?<![?.])$/, '.')}`)
}

/** Rows with aligned columns; the last column is not padded. */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (sums, row) => row.map((cell, at) => Math.max(sums[at] ?? 0, cell.length)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
