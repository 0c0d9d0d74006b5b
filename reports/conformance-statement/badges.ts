/** Badges of a run: one for the whole, and one for each area. */
import type { Run } from '../bundle/record.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'
import { coverageByArea, testedOf, type Coverage } from '../verdicts/coverage.ts'
import { badgeJson, runBadge, badgeSvg, type Badge } from '../formats/badge.ts'
import { visibleLine } from '../visible.ts'

/** File names and contents: `badge.json`, `badge.svg`, and for each area `badges/AREA.json` and `badges/AREA.svg`. */
export function badgeFiles(run: Run): ReadonlyMap<string, string> {
  const { target, contract } = run.record
  const version = visibleLine(`${target.name} ${target.version ?? ''}`.trim())
  const published = contract.definition === undefined
  const set = published ? '' : ` of ${contract.revision} (unpublished)`
  const areas = coverageByArea(clauseRows(run)).map(
    ([area, coverage]) =>
      [
        `badges/${area}`,
        { label: `${version}, ${area}${set}`, ...doubted(resultIn(coverage), published) },
      ] as const,
  )
  const badge = runBadge(run)
  const whole = ['badge', { ...badge, label: `${version}, ${badge.label}` }] as const
  return new Map(
    [whole, ...areas].flatMap(([name, badge]) => [
      [`${name}.json`, badgeJson(badge)],
      [`${name}.svg`, badgeSvg(badge)],
    ]),
  )
}

type Result = Omit<Badge, 'label'>

/** Nothing is green under a set that anybody can write. */
function doubted(result: Result, published: boolean): Result {
  return published || result.tone !== 'good' ? result : { ...result, tone: 'doubt' }
}

function resultIn(coverage: Coverage): Result {
  const { counts, all } = coverage
  if (counts.failed > 0) return { message: `${counts.failed} of ${all} MUST failed`, tone: 'bad' }
  if (testedOf(coverage) === 0) return { message: 'not tested', tone: 'quiet' }
  const message = `${counts.passed} of ${all} MUST passed`
  return { message, tone: counts['not tested'] > 0 ? 'doubt' : 'good' }
}
