/** How many clauses of each area and level came to which verdict: every clause is counted once. */
import { levels } from '../../../spec/index.ts'
import type { ClauseRow, ClauseVerdict } from '../../verdicts/clause-verdicts.ts'
import { verdictOrder } from '../../verdicts/verdicts.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { numberTable, type NumberRow } from '../elements/table.ts'
import { badge, signed } from '../elements/words.ts'

const order: readonly ClauseVerdict[] = [...verdictOrder, 'not-planned', 'not-covered']

export function clauseBadge(verdict: ClauseVerdict): Markup {
  if (verdict === 'not-planned') return signed('–', 'not planned', 'doubt')
  if (verdict === 'not-covered') return signed('·', 'untestable', 'quiet')
  return badge(verdict)
}

export function matrix(rows: readonly ClauseRow[], caption: string): readonly Markup[] {
  const shown = order.filter((verdict) => rows.some((row) => row.verdict === verdict))
  const counts = (head: string, own: readonly ClauseRow[]): NumberRow => {
    const of = (verdict: ClauseVerdict) => own.filter((row) => row.verdict === verdict).length
    return { head, cells: [...shown.map(of), own.length] }
  }
  const byArea = [...Map.groupBy(rows, ({ area }) => area)]
  const areas = byArea.flatMap(([area, own]) =>
    levels.flatMap((level) => {
      const some = own.filter((row) => row.level === level)
      return some.length > 0 ? [counts(`${area}, ${level}`, some)] : []
    }),
  )
  const byLevel = levels.map((level) =>
    counts(
      level,
      rows.filter((row) => row.level === level),
    ),
  )
  const columns = (head: string): readonly Hole[] => [head, ...shown.map(clauseBadge), 'all']
  const all = counts('all', rows)
  return [
    numberTable(`${caption} by level and verdict`, columns('level'), byLevel, all),
    numberTable(`${caption} by area, level and verdict`, columns('area and level'), areas, all),
  ]
}
