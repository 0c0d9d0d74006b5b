/** The summary of a run, for release managers: two pages on paper, before all evidence. */
import type { Finding, Run } from '../../bundle/record.ts'
import { alike } from '../../findings/alike.ts'
import { subjectOf } from '../../run/subject.ts'
import type { ClauseRow } from '../../verdicts/clause-verdicts.ts'
import { shorten } from '../../visible.ts'
import type { Materials } from './cards.ts'
import { coverageTable } from './coverage.ts'
import { html } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import { badgeOf, clauseLink, lane, list, part, prose } from '../elements/words.ts'
import { howToVerify, originOfRun } from './origin.ts'
import { otherSets } from './other-sets.ts'
import { waivers } from './waivers.ts'

const mostFailures = 8
const mostText = 100

export function releaseLane(
  rows: readonly Finding[],
  clauses: readonly ClauseRow[],
  { run }: Materials,
): Markup {
  return lane('release', 'Summary for release managers', [
    part('by-area', 'MUST clauses by area', coverageTable(clauses, run)),
    part('failed', 'Failures, one line each', failureLines(rows, run)),
    part('other-sets', 'Under other clause sets', otherSets(run)),
    part('waivers', 'Waivers', waivers(run)),
    part('origin', 'Who ran it, and when', originOfRun(run)),
    part('verify', 'How to verify this report', howToVerify(run)),
  ])
}

function failureLines(rows: readonly Finding[], { record }: Run): readonly Markup[] {
  const groups = alike(rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'error'))
  if (groups.length === 0) return [html`<p>No check failed.</p>`]
  const lines = groups.slice(0, mostFailures).map(({ finding }) => {
    const { subject, got, detail } = finding
    const requirement = prose(shorten(subjectOf(subject, record).text, mostText))
    const actual = got ?? detail
    const seen = actual === undefined ? '' : html` Actual: ${prose(shorten(actual, mostText))}`
    return html`${badgeOf(finding)} ${clauseLink(subject)}: ${requirement}${seen}`
  })
  const rest = groups.length - lines.length
  return [list(rest > 0 ? [...lines, html`<a href="#failures">${rest} more</a>`] : lines)]
}
