/** What this run can say nothing about, and why: as prominent as what it can. */
import type { Finding } from '../../bundle/record.ts'
import { beyondChecks, undemonstrated, type ClauseRow } from '../../verdicts/clause-verdicts.ts'
import { groupsOf } from '../../verdicts/not-exercised.ts'
import { shorten } from '../../visible.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import { clauseLink, counted, folded, list, prose } from '../elements/words.ts'

const mostDetails = 40
const mostText = 600

export function notShown(rows: readonly Finding[], clauses: readonly ClauseRow[]): readonly Markup[] {
  return [...untestedMusts(clauses), ...groupsOf(rows).map(card), ...inconclusive(rows)]
}

function untestedMusts(clauses: readonly ClauseRow[]): readonly Markup[] {
  const [open, beyond] = [undemonstrated(clauses), beyondChecks(clauses)]
  const left = open.filter(({ verdict }) => verdict === 'not-planned').length
  const words = left > 0 ? `, ${left} of them because this run planned no check of them` : ''
  const none = html`<p>Every must that counts was demonstrated or is broken.</p>`
  return [
    open.length === 0
      ? none
      : folded(
          html`<strong>${counted(open.length, 'MUST clause')} not demonstrated</strong>${words}`,
          names(open),
        ),
    beyond.length === 0
      ? noMarkup
      : folded(
          `${counted(beyond.length, 'MUST clause')} that no check covers`,
          list(beyond.map(({ clause, why }) => html`${clauseLink(clause)}: ${prose(why ?? '')}`)),
        ),
  ]
}

/** An area of which nothing was asked has no rows further down. */
function names(rows: readonly ClauseRow[]): Markup {
  const areas = [...Map.groupBy(rows, ({ area }) => area)]
  return list(
    areas.map(([area, own]) => html`${area}: <code>${own.map(({ clause }) => clause).join(' ')}</code>`),
  )
}

function card({ says, provide, findings, details }: ReturnType<typeof groupsOf>[number]): Markup {
  const ids = [...new Set(findings.map(({ subject }) => subject))]
  return html`<div class="card">
    <h4>${counted(findings.length, 'check')} not exercised: ${says}</h4>
    <p>${prose(provide)}</p>
    ${details.length > 0 ? list(namedOf(details)) : noMarkup}
    ${folded(counted(ids.length, 'clause'), html`<p><code>${ids.join(' ')}</code></p>`)}
  </div> `
}

function namedOf(details: readonly string[]): readonly Markup[] {
  const lines = details.slice(0, mostDetails).map((detail) => prose(shorten(detail, mostText)))
  const rest = details.length - lines.length
  return rest > 0 ? [...lines, html`and ${rest} more, in run.json`] : lines
}

function inconclusive(rows: readonly Finding[]): readonly Markup[] {
  const { length } = rows.filter(({ verdict }) => verdict === 'inconclusive')
  if (length === 0) return []
  return [
    html`<p>
      <a href="#inconclusive">${counted(length, 'check')} inconclusive</a>: the situation did not arise.
    </p>`,
  ]
}
