/** What came of the mutants, file by file and together, as lines for a person to read. */
import type { MutantResult } from '@stryker-mutator/api/core'

const noticed = ({ status }: MutantResult): boolean => status === 'Killed' || status === 'Timeout'
export const survived = ({ status }: MutantResult): boolean =>
  status === 'Survived' || status === 'NoCoverage'

export function summarize(results: readonly MutantResult[]): { lines: readonly string[]; score: number } {
  const counted = results.filter((mutant) => noticed(mutant) || survived(mutant))
  const killed = counted.filter(noticed).length
  const score = scoreOf(killed, counted.length)
  const files = [...Map.groupBy(counted, ({ fileName }) => nameOf(fileName))].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return {
    lines: [
      ...files.map(([name, some]) => `${scoreIn(some).toFixed(1).padStart(6)}  ${name}, of ${some.length}`),
      `${counted.length} mutants, ${killed} killed, score ${score.toFixed(1)}`,
    ],
    score,
  }
}

/** Of 100. */
const scoreOf = (killed: number, mutants: number): number => (mutants === 0 ? 0 : (100 * killed) / mutants)
const scoreIn = (some: readonly MutantResult[]): number => scoreOf(some.filter(noticed).length, some.length)
const nameOf = (path: string): string => path.slice(path.lastIndexOf('suites/'))

export function survivorLine({ fileName, location, mutatorName, replacement, status }: MutantResult): string {
  const { line, column } = location.start
  const how = status === 'NoCoverage' ? 'no test comes here' : 'survived'
  return `${nameOf(fileName)}:${line}:${column} ${how}: ${mutatorName} ${replacement.replaceAll(/\s+/g, ' ').slice(0, 90)}`
}
