/** Examines a target and prints a line for each result. */
import { randomInt } from 'node:crypto'
import { examine } from '../../suites/doctor/examine.ts'
import type { DoctorResult } from '../../suites/doctor/sign.ts'
import { createRedactor } from '../../bundle/redaction/redaction.ts'
import { secretsOf } from '../../suites/config/secret-values.ts'
import { openTarget } from '../check/target.ts'
import type { CommandAnswer } from '../command.ts'
import type { DoctorOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { version } from '../version.ts'
import { counted } from '../../reports/document/blocks.ts'
import { hang } from '../../reports/document/text.ts'

export async function doctor(
  named: string | undefined,
  options: DoctorOptions,
  io: Io,
): Promise<CommandAnswer> {
  const { target, clock, close } = await openTarget(named, options, io)
  try {
    const signs = await examine(target, {
      seed: randomInt(2 ** 31 - 1),
      version: version(),
      clock,
      onBegin: ({ requests, turns }) =>
        io.err(`Sends at most ${requests} requests, with ${counted(turns, 'turn')}.\n`),
    })
    const any = (wanted: DoctorResult['is']): boolean => signs.some(({ is }) => is === wanted)
    const missing = any('missing') ? exitCodes.lessExercised : exitCodes.ok
    const exitCode = any('wrong') ? exitCodes.usage : missing
    const redactor = createRedactor(secretsOf(target))
    const { verbose = false } = options
    return {
      exitCode,
      json: redactor.value({ exitCode, signs }),
      text: redactor.text(doctorText(signs, { width: io.width, verbose })),
    }
  } finally {
    await close()
  }
}

const marks: Readonly<Record<DoctorResult['is'], string>> = { fine: '✓', wrong: '✗', missing: '✗', open: '–' }

/** Each result, or with `verbose` not given, one line for each part of the file that declares nothing. */
function doctorText(
  results: readonly DoctorResult[],
  { width, verbose }: { width: number; verbose: boolean },
): string {
  const count = (...wanted: readonly DoctorResult['is'][]): number =>
    results.filter(({ is }) => wanted.includes(is)).length
  const listed = results.filter(({ undeclared }) => verbose || !undeclared)
  const inOrder = (['✗', '✓', '–'] as const).flatMap((mark) => listed.filter(({ is }) => marks[is] === mark))
  const undeclared = results.filter((result) => !verbose && result.undeclared)
  const lines = [
    ...inOrder.map(({ is, about, words }) => `${marks[is]} ${about}: ${words}`),
    ...[...Map.groupBy(undeclared, ({ about }) => about.replace(/\..*/, ''))].map(
      ([part, { length }]) =>
        `${marks.open} ${part}: ${length} not set up: their checks are skipped (--verbose lists them)`,
    ),
  ]
  return [
    `${count('fine')} ok, ${count('wrong', 'missing')} wrong, ${count('open')} not checked`,
    '',
    ...lines.map((text) => hang(text.slice(0, 2), text.slice(2), width)),
    '',
  ].join('\n')
}
