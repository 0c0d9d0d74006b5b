/** What came of the mutants, file by file and together, as lines for a person to read. */
import type { MutantResult } from '@stryker-mutator/api/core'

const noticed = (mutant: MutantResult): boolean => mutant.status === 'Killed' || mutant.status === 'Timeout'
export const survived = ({ status }: MutantResult): boolean =>
  status === 'Survived' || status === 'NoCoverage'

export function told(results: readonly MutantResult[]): { lines: readonly string[]; score: number } {
  const counted = results.filter((mutant) => noticed(mutant) || survived(mutant))
  const byFile = [...Map.groupBy(counted, ({ fileName }) => nameOf(fileName))].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  const killed = counted.filter(noticed).length
  const score = scoreOf(counted)
  return {
    lines: [
      ...byFile.map(([name, some]) => `${format(scoreOf(some)).padStart(6)}  ${name}, of ${some.length}`),
      `${counted.length} mutants, ${killed} killed, score ${format(score)}`,
    ],
    score,
  }
}

function scoreOf(mutants: readonly MutantResult[]): number {
  return mutants.length === 0 ? 0 : (100 * mutants.filter(noticed).length) / mutants.length
}

const format = (score: number): string => score.toFixed(1)
const nameOf = (path: string): string => path.slice(path.lastIndexOf('suites/'))

export function survivorLine({ fileName, location, mutatorName, replacement, status }: MutantResult): string {
  const { line, column } = location.start
  const how = status === 'NoCoverage' ? 'no test comes here' : 'survived'
  return `${nameOf(fileName)}:${line}:${column} ${how}: ${mutatorName} ${replacement.replaceAll(/\s+/g, ' ').slice(0, 90)}`
}
