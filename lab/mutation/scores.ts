/** The last score of every file that was ever measured, with its day: what `docs/mutation.md` shows as a table. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { MutantResult } from '@stryker-mutator/api/core'
import { core } from './core.ts'
import { byFile, noticed, scoreOf, survived } from './score.ts'

interface Measured {
  mutants: number
  killed: number
  /** Those that act while modules are loaded, which a quick run leaves out. */
  leftOut: number
  day: string
}
type Scores = Readonly<Record<string, Measured>>

const file = new URL('scores.json', import.meta.url)
const page = new URL('../../docs/mutation.md', import.meta.url)
const table = /(<!-- scores -->\n).*(<!-- \/scores -->)/s

/** Replaces what was known of the files that were changed; of the others nothing is forgotten. */
export function keepScores(results: readonly MutantResult[], day: string): void {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Scores) : {}
  const scores = { ...known, ...Object.fromEntries(measuredIn(results, day)) }
  const sorted = Object.fromEntries(Object.entries(scores).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
  writeFileSync(page, readFileSync(page, 'utf8').replace(table, `$1\n${tableOf(sorted)}\n\n$2`))
}

function measuredIn(results: readonly MutantResult[], day: string): readonly (readonly [string, Measured])[] {
  return [...byFile(results)].map(([name, all]) => {
    const leftOut = all.filter(({ status }) => status === 'Ignored').length
    const counted = all.filter((mutant) => noticed(mutant) || survived(mutant))
    return [name, { mutants: counted.length, killed: counted.filter(noticed).length, leftOut, day }]
  })
}

/** First the files that every verdict stands on, in their order. */
function tableOf(scores: Scores): string {
  const order = [...new Set([...Object.keys(core), ...Object.keys(scores)])]
  const rows = order.flatMap((name) => {
    const of = scores[name]
    if (!of) return []
    const score = of.mutants === 0 ? '–' : scoreOf(of.killed, of.mutants).toFixed(1)
    return [
      [
        `\`${name.replace(/^suites\//, '')}\``,
        `${of.mutants}`,
        `${of.killed}`,
        score,
        `${of.leftOut}`,
        of.day,
      ],
    ]
  })
  return aligned([['in `suites/`', 'mutants', 'killed', 'of 100', 'left out', 'measured'], ...rows])
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
