/** The MUST clauses that have no result in this run, grouped by reason, with what to do about each. */
import type { Finding, LeftOut, Run } from '../../bundle/record.ts'
import { subjectOf } from '../../run/subject.ts'
import type { ClauseRow } from '../../verdicts/clause-verdicts.ts'
import { coverageKindOf } from '../../verdicts/coverage.ts'
import { groupsOf } from '../../verdicts/not-exercised.ts'
import { leftOutReasons } from '../../verdicts/reasons.ts'
import { shorten } from '../../visible.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import { counted, folded, list, prose } from '../elements/words.ts'

const mostDetails = 40
const mostText = 600

export function notTested(
  run: Run,
  rows: readonly Finding[],
  clauses: readonly ClauseRow[],
): readonly Markup[] {
  const open = clauses.filter((row) => coverageKindOf(row) === 'not tested')
  const unplanned = open.filter(({ verdict }) => verdict === 'not-planned')
  const cards = [...notPlanned(unplanned, run), ...groupsOf(rows).map((group) => notRun(group, run))]
  return [
    open.length === 0 ? html`<p>Every testable MUST clause has a result.</p>` : noMarkup,
    ...cards,
    ...inconclusive(rows),
    ...untestable(clauses, run),
  ]
}

interface Card {
  title: string
  says: string
  provide: string
  details?: readonly string[]
  clauses: readonly string[]
}

function card({ title, says, provide, details = [], clauses }: Card, run: Run): Markup {
  return html`<div class="card">
    <h4>${title}: ${prose(says)}</h4>
    <p><strong>What to do:</strong> ${prose(provide)}</p>
    ${details.length > 0 ? list(bounded(details)) : noMarkup}
    ${folded(counted(clauses.length, 'clause'), list(clauses.map((clause) => sentence(clause, run))))}
  </div>`
}

function sentence(clause: string, { record }: Run): Markup {
  const { text } = subjectOf(clause, record)
  return html`${prose(text)} <code class="soft">${clause}</code>`
}

/** Clauses without a check in this run, by what left their checks out. */
function notPlanned(rows: readonly ClauseRow[], run: Run): readonly Markup[] {
  const by = leftOutOf(run)
  const groups = Map.groupBy(rows, ({ clause }) => by.get(clause) ?? 'not-declared')
  return [...groups].map(([reason, own]) => {
    const title = `${counted(own.length, 'MUST clause')} not planned`
    return card({ title, ...leftOutReasons[reason], clauses: own.map(({ clause }) => clause) }, run)
  })
}

function leftOutOf({ record }: Run): ReadonlyMap<string, LeftOut['by']> {
  const entries = record.plan.leftOut.flatMap(({ by, checks }) =>
    checks.map((check) => [check.slice(check.lastIndexOf('/') + 1), by] as const),
  )
  return new Map(entries)
}

function notRun({ says, provide, findings, details }: ReturnType<typeof groupsOf>[number], run: Run): Markup {
  const clauses = [...new Set(findings.map(({ subject }) => subject))]
  const title = `${counted(findings.length, 'check')} not run`
  return card({ title, says, provide, details, clauses }, run)
}

function bounded(details: readonly string[]): readonly Markup[] {
  const lines = details.slice(0, mostDetails).map((detail) => prose(shorten(detail, mostText)))
  const rest = details.length - lines.length
  return rest > 0 ? [...lines, html`${rest} more: see run.json`] : lines
}

function inconclusive(rows: readonly Finding[]): readonly Markup[] {
  const { length } = rows.filter(({ verdict }) => verdict === 'inconclusive')
  if (length === 0) return []
  return [
    html`<p>
      <a href="#inconclusive">${counted(length, 'check')} inconclusive</a>: the situation to be tested did not
      arise.
    </p>`,
  ]
}

function untestable(clauses: readonly ClauseRow[], run: Run): readonly Markup[] {
  const rows = clauses.filter((row) => coverageKindOf(row) === 'untestable')
  if (rows.length === 0) return []
  const lines = rows.map(({ clause, why }) => html`${sentence(clause, run)}: ${prose(why ?? '')}`)
  return [folded(`${counted(rows.length, 'MUST clause')} that cannot be tested from outside`, list(lines))]
}
