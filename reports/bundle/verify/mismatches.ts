/** Where a document of a run, or a line of its journal, does not have the form that is published. */
import { isPlainlySpelled, type JsonReading } from '../json.ts'
import type { JournalLine } from '../journal/line.ts'
import type { Problem } from '../schema/problem.ts'

export function mismatchesOf(
  where: string,
  text: string,
  reading: JsonReading,
  problem: Problem = () => null,
): readonly string[] {
  if (!reading.ok) return [`${where}: ${reading.why}`]
  const mismatch = problem(reading.value)
  return [
    ...(mismatch === null ? [] : [`${where}${mismatch}`]),
    ...(isPlainlySpelled(text, reading.value)
      ? []
      : [`${where}: is not spelled as a run spells it; another reader may find something else in it`]),
  ]
}

/** Of a line of the journal. The last one may be torn; the chain is looked at for that. */
export function lineMismatches(number: number, { text, reading, problem }: JournalLine): readonly string[] {
  return mismatchesOf(`journal.ndjson, line ${number}`, text, reading, () => problem)
}
