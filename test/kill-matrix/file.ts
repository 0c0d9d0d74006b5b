/** The matrix as a file: sorted, one line for each fault, the same bytes for the same cells. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  checksOf,
  type ByScenario,
  type KillMatrix,
  type MatrixLine,
} from '../../reports/proof/kill-matrix.ts'
import type { Cells } from './settle.ts'

export const path = fileURLToPath(new URL('../../reports/proof/kill-matrix.json', import.meta.url))
export const shownPath = 'reports/proof/kill-matrix.json'

export function readMatrix(): KillMatrix {
  return JSON.parse(readFileSync(path, 'utf8')) as KillMatrix
}

export function writeMatrix(matrix: KillMatrix): void {
  writeFileSync(path, textOf(matrix))
}

/** Check ids of a line of the file. */
export function cellsOf(line: MatrixLine | undefined): Cells | undefined {
  return line && { kills: checksOf(line.kills), sometimes: checksOf(line.sometimes) }
}

export function lineOf(title: string, { kills, sometimes }: Cells): MatrixLine {
  return {
    title,
    kills: byScenario(kills),
    ...(sometimes.length > 0 ? { sometimes: byScenario(sometimes) } : {}),
  }
}

function byScenario(checks: readonly string[]): ByScenario {
  const cut = (check: string): number => check.lastIndexOf('/')
  const scenarios = Map.groupBy(checks.toSorted(), (check) => check.slice(0, cut(check)))
  return Object.fromEntries(
    [...scenarios].map(([scenario, own]) => [scenario, own.map((check) => check.slice(cut(check) + 1))]),
  )
}

export function textOf(matrix: KillMatrix): string {
  const sections = Object.entries(matrix).map(
    ([name, lines]) => `${JSON.stringify(name)}: {\n${linesOf(lines as KillMatrix['faults'])}\n}`,
  )
  return `{\n${sections.join(',\n')}\n}\n`
}

function linesOf(lines: KillMatrix['faults']): string {
  return Object.keys(lines)
    .toSorted()
    .map((id) => `${JSON.stringify(id)}: ${JSON.stringify(lines[id])}`)
    .join(',\n')
}
