/** `touchstone verify`: checks every part of a run bundle and reports each as verified or not. */
import { visibleLine } from '../../reports/visible.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { publicKeyAt } from '../seal/signer.ts'
import { openForVerification, type OpenedBundle } from '../../reports/bundle/verify/opened-bundle.ts'
import { conclusionOf, type InspectedPart } from './conclusion.ts'
import { inspections, type Asked } from './inspections.ts'
import { inspectStatement, isStatementFolder } from './statement-folder.ts'
import { notVerified, type InspectionLine, type InspectionOutcome } from '../../reports/bundle/verify/line.ts'

export interface VerifyOptions {
  key?: string
  rejudge?: boolean
  format: 'text' | 'json'
}

/** Returns the exit code. Throws a UsageError if the folder or the key cannot be read. */
export function verify(folder: string, { key, rejudge = false, format }: VerifyOptions, io: Io): number {
  const asked = { key: key === undefined ? null : publicKeyAt(key), rejudge }
  const isStatement = isStatementFolder(folder)
  const parts = isStatement
    ? inspectStatement(folder, asked.key)
    : [...inspectedParts(openForVerification(folder), asked)]
  const exitCode = verifiedCode(parts)
  const conclusion = conclusionOf(parts, { keyFile: key, rejudge: isStatement ? null : rejudge })
  io.out(format === 'json' ? asJson(parts, exitCode, conclusion) : `${asText(parts)}\n${conclusion}\n`)
  return exitCode
}

/** Every part, one after the other; each may take a second. `left`: parts that are not to be looked at. */
export function* inspectedParts(
  bundle: OpenedBundle,
  asked: Asked,
  left: readonly string[] = [],
): Generator<InspectedPart> {
  for (const [about, inspect] of Object.entries(inspections)) {
    if (left.includes(about)) continue
    let line: InspectionLine | null
    try {
      line = inspect(bundle, asked)
    } catch (error) {
      // A part that cannot be checked does not keep the others from being checked.
      line = notVerified('cannot be checked', [error instanceof Error ? error.message : String(error)])
    }
    if (line !== null) yield { about, ...line }
  }
}

export function verifiedCode(parts: readonly InspectedPart[]): number {
  const outcomes = new Set(parts.map(({ outcome }) => outcome))
  if (outcomes.has('broken')) return exitCodes.nonconformant
  return outcomes.has('incomplete') ? exitCodes.lessExercised : exitCodes.ok
}

export const inspectionSigns: Readonly<Record<InspectionOutcome, string>> = {
  holds: '✓',
  broken: '✗',
  open: '–',
  incomplete: '–',
}

/** Problems listed per part; the rest are counted. */
const most = 20

function asText(parts: readonly InspectedPart[]): string {
  const width = Math.max(...parts.map(({ about }) => about.length))
  const indent = ' '.repeat(width + 4)
  return parts
    .flatMap(({ about, outcome, words, problems }) => [
      `${inspectionSigns[outcome]} ${about.padEnd(width)}  ${visibleLine(words)}`,
      ...problems.slice(0, most).map((problem) => `${indent}${visibleLine(problem)}`),
      ...(problems.length > most ? [`${indent}and ${problems.length - most} more`] : []),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

function asJson(parts: readonly InspectedPart[], exitCode: number, conclusion: string): string {
  const lines = parts.map(({ about, outcome, words, problems }) => ({
    about,
    outcome,
    words: visibleLine(words),
    problems: problems.map(visibleLine),
  }))
  return `${JSON.stringify({ schemaVersion: 1, holds: exitCode === exitCodes.ok, exitCode, conclusion, lines }, null, 2)}\n`
}
