/** Examines a target and prints a line for each result. */
import { randomInt } from 'node:crypto'
import { examine, type ExamineOptions } from '../../suites/doctor/examine.ts'
import type { DoctorResult } from '../../suites/doctor/sign.ts'
import { createRedactor } from '../../reports/bundle/redaction/redaction.ts'
import { secretsOf } from '../../suites/config/secret-values.ts'
import type { Target } from '../../suites/config/target.ts'
import { openTarget } from '../check/target.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { printedJson } from '../lists/print.ts'
import { version } from '../version.ts'
import type { VendorCommandOptions } from '../vendor.ts'
import { hang } from '../../reports/document/text.ts'

export interface DoctorOptions extends VendorCommandOptions {
  baseUrl?: string
  apiKey?: string
  agent?: string
  json?: true
  verbose?: true
}

/** Returns the exit code. Throws UsageError, ConfigurationError and TargetUnreachable. */
export async function doctor(named: string | undefined, options: DoctorOptions, io: Io): Promise<number> {
  const place = await openTarget(named, options, io)
  try {
    const signs = await examined(place.target, ({ requests, turns }) =>
      io.err(`Sends at most ${requests} requests, with ${turnWords(turns)}.\n`),
    )
    const exitCode = exitCodeOf(signs)
    const printed = options.json
      ? printedJson({ exitCode, signs })
      : doctorText(signs, { width: io.width, verbose: options.verbose ?? false })
    io.out(createRedactor(secretsOf(place.target)).text(printed))
    return exitCode
  } finally {
    await place.close()
  }
}

/** Throws ConfigurationError and TargetUnreachable. */
export const examined = (
  target: Target,
  onBegin: NonNullable<ExamineOptions['onBegin']> = () => undefined,
): Promise<readonly DoctorResult[]> =>
  examine(target, { seed: randomInt(2 ** 31 - 1), version: version(), onBegin })

const turnWords = (turns: number): string => `${turns} turn${turns === 1 ? '' : 's'}`

function exitCodeOf(signs: readonly DoctorResult[]): number {
  const any = (wanted: DoctorResult['is']): boolean => signs.some(({ is }) => is === wanted)
  if (any('wrong')) return exitCodes.usage
  return any('missing') ? exitCodes.lessExercised : exitCodes.ok
}

interface DoctorTextOptions {
  /** Columns. */
  width: number
  /** Lists every result; otherwise groups of what the file does not declare are one line each. */
  verbose: boolean
}

const marks: Readonly<Record<DoctorResult['is'], string>> = { fine: '✓', wrong: '✗', missing: '✗', open: '–' }

function doctorText(results: readonly DoctorResult[], { width, verbose }: DoctorTextOptions): string {
  const listed = verbose ? results : results.filter(({ undeclared }) => !undeclared)
  const inOrder = (['✗', '✓', '–'] as const).flatMap((mark) => listed.filter(({ is }) => marks[is] === mark))
  const lines = [...inOrder.map((result) => line(result)), ...(verbose ? [] : folded(results))]
  return [totals(results), '', ...lines.map((text) => hang(text.slice(0, 2), text.slice(2), width)), ''].join(
    '\n',
  )
}

const line = ({ is, about, words }: DoctorResult): string => `${marks[is]} ${about}: ${words}`

/** One line for each part of the file that declares nothing: `states: 17 not configured (--verbose lists them)`. */
function folded(results: readonly DoctorResult[]): readonly string[] {
  const undeclared = results.filter((result) => result.undeclared)
  const groups = Map.groupBy(undeclared, ({ about }) => about.replace(/\..*/, ''))
  return [...groups].map(
    ([group, { length }]) => `${marks.open} ${group}: ${length} not configured (--verbose lists them)`,
  )
}

function totals(results: readonly DoctorResult[]): string {
  const count = (...wanted: readonly DoctorResult['is'][]): number =>
    results.filter(({ is }) => wanted.includes(is)).length
  return `${count('fine')} ok, ${count('wrong', 'missing')} wrong, ${count('open')} not checked`
}
