/** The last score of every file that was ever measured, with its day: `scores.json`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { MutantResult } from '@stryker-mutator/api/core'
import { byFile, noticed, survived } from './score.ts'

interface Measured {
  mutants: number
  killed: number
  /** Those that act while modules are loaded, which a quick run leaves out. */
  leftOut: number
  day: string
}
type Scores = Readonly<Record<string, Measured>>

const file = new URL('scores.json', import.meta.url)

/** Replaces the scores of the measured files and keeps the others. */
export function keepScores(results: readonly MutantResult[], day: string): void {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Scores) : {}
  const scores = { ...known, ...Object.fromEntries(measuredIn(results, day)) }
  const sorted = Object.fromEntries(Object.entries(scores).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}

function measuredIn(results: readonly MutantResult[], day: string): readonly (readonly [string, Measured])[] {
  return [...byFile(results)].map(([name, all]) => {
    const leftOut = all.filter(({ status }) => status === 'Ignored').length
    const counted = all.filter((mutant) => noticed(mutant) || survived(mutant))
    return [name, { mutants: counted.length, killed: counted.filter(noticed).length, leftOut, day }]
  })
}
