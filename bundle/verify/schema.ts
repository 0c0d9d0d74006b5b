/** Whether the documents of a run, and the lines of its journal, have the form that is published. */
import { isPlainlySpelled, type JsonReading } from '../json.ts'
import type { JournalLine } from '../journal/lines.ts'
import { basisFile, journalFile, manifestFile, planFile, recordFile, statementFile } from '../names.ts'
import {
  isNewer,
  judgingProblem,
  manifestProblem,
  planProblem,
  runProblem,
  type Problem,
} from '../schema/problem.ts'

const problems: Readonly<Record<string, Problem>> = {
  [recordFile]: runProblem,
  [planFile]: planProblem,
  [basisFile]: judgingProblem,
  [manifestFile]: manifestProblem,
}

const documentsWithSchema = Object.keys(problems)

interface Documents {
  has: (file: string) => boolean
  bytes: (file: string) => Buffer | null
  parse: (text: string) => JsonReading
}

export function documentMismatches(given: Documents): readonly string[] {
  const { has, bytes, parse } = given
  // A file that is not a statement is reported with the signature.
  const isStatement = parse(bytes(statementFile)?.toString('utf8') ?? '').ok
  const files = [...documentsWithSchema.filter(has), ...(isStatement ? [statementFile] : [])]
  return files.flatMap((file) => {
    const text = given.bytes(file)?.toString('utf8')
    if (text === undefined) return [`${file}: cannot be read`]
    return mismatchesOf(file, text, given.parse(text), problems[file])
  })
}

function mismatchesOf(
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
      : [`${where}: is not written as a run writes it; another reader may read something else`]),
  ]
}

/** Of a line of the journal. The last one may be torn; the chain is looked at for that. */
export function lineMismatches(number: number, { text, reading, problem }: JournalLine): readonly string[] {
  return mismatchesOf(`journal.ndjson, line ${number}`, text, reading, () => problem)
}

export const ofNewer = 'not checked: a newer version wrote this run; verify with that version'

/** Missing files are reported by another inspection. */
export function inspectSchema({
  has,
  mismatches,
}: Pick<Documents, 'has'> & { mismatches: readonly string[] }): InspectionLine {
  if (mismatches.length > 0 && mismatches.every(isNewer))
    return { ...incomplete(ofNewer), problems: mismatches }
  const named = [...documentsWithSchema.filter(has), journalFile]
  return judged(
    mismatches,
    `${named.slice(0, -1).join(', ')} and ${named.at(-1)} match the published JSON Schemas`,
    'the published JSON Schemas do not match',
  )
}

/** The result of one inspection of a bundle. */
export type InspectionOutcome =
  | 'holds'
  /** Something is not as the run wrote it. */
  | 'broken'
  /** Nothing to look at, or not asked for. */
  | 'open'
  /** There was nothing to look at because the run was cut off, or this version cannot check it. */
  | 'incomplete'

export interface InspectionLine {
  outcome: InspectionOutcome
  words: string
  /** Each on a line of its own; they may quote what stands in the bundle, as it is. */
  problems: readonly string[]
}

export const holds = (words: string): InspectionLine => ({ outcome: 'holds', words, problems: [] })
export const notChecked = (words: string): InspectionLine => ({ outcome: 'open', words, problems: [] })
export const incomplete = (words: string): InspectionLine => ({ outcome: 'incomplete', words, problems: [] })
export const notVerified = (words: string, problems: readonly string[] = []): InspectionLine => ({
  outcome: 'broken',
  words,
  problems,
})

/** `good` where there are no problems. */
export function judged(problems: readonly string[], good: string, bad: string): InspectionLine {
  return problems.length === 0 ? holds(good) : notVerified(bad, problems)
}

export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
