/** Reads two runs, and says what changed from the one to the other. */
import type { Comparison } from '../../reports/diff/compare.ts'
import { changesAnswer, renderDiff } from '../../reports/diff/document.ts'
import { plainWords } from '../../reports/document/blocks.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { writeOut } from '../out-file.ts'
import { UsageError } from '../usage-error.ts'
import { comparisonOf, openEarlier } from './earlier.ts'

export interface DiffOptions {
  format: Parameters<typeof renderDiff>[1]
  out?: string
}

const codes = {
  same: exitCodes.ok,
  worse: exitCodes.nonconformant,
  less: exitCodes.lessExercised,
} as const satisfies Record<Comparison['outcome'], number>

/** Gives the exit code. Throws a UsageError for a folder without a run, and for two that cannot be compared. */
export function diff(earlier: string, later: string, { format, out }: DiffOptions, io: Io): number {
  const comparison = comparisonOf(openEarlier(earlier), openEarlier(later))
  if (comparison.obstacle !== null)
    throw new UsageError(
      `${earlier} and ${later} cannot be compared: ${comparison.obstacle}. Name two runs of one target.`,
    )
  const { colour, width } = io
  const answer = renderDiff(comparison, format, { colour: colour && out === undefined, width })
  if (out === undefined) io.out(answer)
  else {
    writeOut(out, answer)
    const { sign, word, detail } = changesAnswer(comparison)
    io.err(`${sign} ${word}: ${plainWords(detail)}. Written to ${out}.\n`)
  }
  return codes[comparison.outcome]
}
