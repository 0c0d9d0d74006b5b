/** The results of the doctor as text: the totals, what is wrong, what is confirmed, and what was not checked. */
import { hang } from '../../reports/text/columns.ts'
import type { DoctorResult } from '../../suites/doctor/sign.ts'

interface DoctorTextOptions {
  /** Columns. */
  width: number
  /** Lists every result; otherwise groups of what the file does not declare are one line each. */
  verbose: boolean
}

const marks: Readonly<Record<DoctorResult['is'], string>> = { fine: '✓', wrong: '✗', missing: '✗', open: '–' }

export function doctorText(results: readonly DoctorResult[], { width, verbose }: DoctorTextOptions): string {
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
