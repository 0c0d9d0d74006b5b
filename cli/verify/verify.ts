/** `touchstone verify`: looks at all of a bundle, and says of each part whether it holds. */
import { visibleLine } from '../../reports/visible.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { publicKeyAt } from '../seal/signer.ts'
import { openForVerification } from '../../reports/bundle/verify/opened-bundle.ts'
import { inspections } from './inspections.ts'
import { notVerified, type InspectionLine, type InspectionOutcome } from '../../reports/bundle/verify/line.ts'

export interface VerifyOptions {
  key?: string
  rejudge?: boolean
  format: 'text' | 'json'
}

type Told = InspectionLine & { about: string }

/** Gives the exit code. Throws a UsageError. */
export function verify(folder: string, { key, rejudge = false, format }: VerifyOptions, io: Io): number {
  const asked = { key: key === undefined ? null : publicKeyAt(key), rejudge }
  const bundle = openForVerification(folder)
  const told = Object.entries(inspections).map(([about, inspect]): Told => {
    try {
      return { about, ...inspect(bundle, asked) }
    } catch (error) {
      // Whatever stands in a bundle, the other parts are looked at too.
      return {
        about,
        ...notVerified('cannot be checked', [error instanceof Error ? error.message : String(error)]),
      }
    }
  })
  const exitCode = codeOf(told)
  io.out(format === 'json' ? asJson(told, exitCode) : asText(told))
  return exitCode
}

function codeOf(told: readonly Told[]): number {
  const outcomes = new Set(told.map(({ outcome }) => outcome))
  if (outcomes.has('broken')) return exitCodes.nonconformant
  return outcomes.has('incomplete') ? exitCodes.lessExercised : exitCodes.ok
}

const signs: Readonly<Record<InspectionOutcome, string>> = {
  holds: '✓',
  broken: '✗',
  open: '–',
  incomplete: '–',
}

/** Of more problems of one kind than this the number says enough. */
const most = 20

function asText(told: readonly Told[]): string {
  const width = Math.max(...told.map(({ about }) => about.length))
  const indent = ' '.repeat(width + 4)
  return told
    .flatMap(({ about, outcome, words, problems }) => [
      `${signs[outcome]} ${about.padEnd(width)}  ${visibleLine(words)}`,
      ...problems.slice(0, most).map((problem) => `${indent}${visibleLine(problem)}`),
      ...(problems.length > most ? [`${indent}and ${problems.length - most} more`] : []),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

function asJson(told: readonly Told[], exitCode: number): string {
  const lines = told.map(({ about, outcome, words, problems }) => ({
    about,
    outcome,
    words: visibleLine(words),
    problems: problems.map(visibleLine),
  }))
  return `${JSON.stringify({ schemaVersion: 1, holds: exitCode === exitCodes.ok, exitCode, lines }, null, 2)}\n`
}
