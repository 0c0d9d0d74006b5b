/** Badges of a run: one for the whole, and one for each area. */
import type { Run } from '../bundle/record.ts'
import { answerOf } from '../run/scope.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'
import { coverageByArea, coverageOf, testedOf, type Coverage } from '../verdicts/coverage.ts'
import type { Tone } from '../verdicts/verdicts.ts'
import { badgeJson, badgeSvg, type Badge } from './badge.ts'

/** File names and contents: `badge.json`, `badge.svg`, and for each area `badges/AREA.json` and `badges/AREA.svg`. */
export function badgeFiles(run: Run): ReadonlyMap<string, string> {
  const rows = clauseRows(run)
  const areas = coverageByArea(rows).map(
    ([area, coverage]) => [`badges/${area}`, { label: area, ...resultIn(coverage) }] as const,
  )
  const whole = ['badge', wholeBadge(run, coverageOf(rows))] as const
  return new Map(
    [whole, ...areas].flatMap(([name, badge]) => [
      [`${name}.json`, badgeJson(badge)],
      [`${name}.svg`, badgeSvg(badge)],
    ]),
  )
}

/** A run of the simulator must not be taken for one of the service. */
function wholeBadge(run: Run, coverage: Coverage): Badge {
  const { contract, target } = run.record
  const { word, tone } = answerOf(run.record)
  const simulated = target.kind === 'simulator' ? ' (simulator)' : ''
  const message = `${word}, ${coverage.counts.passed} of ${coverage.all} MUST${simulated}`
  return { label: `contract ${contract.revision}`, message, tone }
}

function resultIn(coverage: Coverage): { message: string; tone: Tone } {
  const { counts, all } = coverage
  if (counts.failed > 0) return { message: `${counts.failed} of ${all} MUST failed`, tone: 'bad' }
  if (testedOf(coverage) === 0) return { message: 'not tested', tone: 'quiet' }
  const message = `${counts.passed} of ${all} MUST passed`
  return { message, tone: counts['not tested'] > 0 ? 'doubt' : 'good' }
}
