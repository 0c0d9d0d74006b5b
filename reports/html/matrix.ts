/** Counts by area, and every clause of the judged areas with what was said of it. */
import { areaOf, areas, clauseIds, clauses } from '../../spec/index.ts'
import type { Area, ClauseId } from '../../spec/index.ts'
import type { Finding, Run } from '../../suites/record.ts'
import { shownAbleToFail } from '../proof/shown.ts'
import { isClause } from '../rows.ts'
import { subjectOf } from '../subject.ts'
import { byArea, tally } from '../tally.ts'
import { verdictOrder, verdictWords } from '../verdicts.ts'
import { html, nothing } from './escape.ts'
import type { Markup } from './escape.ts'
import { badge, badgeOf, list, prose } from './words.ts'

const none = html`<td class="soft">0</td>`

/** How many findings of each verdict, by area and in all. */
export function counts(findings: readonly Finding[]): Markup {
  const total = tally(findings)
  const shown = verdictOrder.filter((verdict) => total[verdict] > 0)
  const row = (name: string, rows: readonly Finding[]): Markup => {
    const own = tally(rows)
    return html`<tr>
      <th scope="row">${name}</th>
      ${shown.map((verdict) => (own[verdict] > 0 ? html`<td>${own[verdict]}</td>` : none))}
      <td>${rows.length}</td>
    </tr> `
  }
  const areas = [...byArea(findings)].map(([area, rows]) => row(area, rows))
  return html`<div class="scroll" role="region" aria-label="Checks by area and verdict" tabindex="0">
    <table class="numbers">
      <caption>
        Checks by area and verdict
      </caption>
      <thead>
        <tr>
          <th scope="col">area</th>
          ${shown.map((verdict) => html`<th scope="col">${badge(verdict)}</th>`)}
          <th scope="col">all</th>
        </tr>
      </thead>
      <tbody>
        ${areas}
      </tbody>
      <tfoot>
        ${row('all areas', findings)}
      </tfoot>
    </table>
  </div> `
}

/** What the verdicts mean, for a reader who sees the page for the first time. */
export function legend(findings: readonly Finding[]): Markup {
  const total = tally(findings)
  const shown = verdictOrder.filter((verdict) => total[verdict] > 0)
  return list(shown.map((verdict) => html`${badge(verdict)}: ${verdictWords[verdict].means}`))
}

/** One folded table per area; every clause has a row, covered or not. */
export function matrix(findings: readonly Finding[], run: Run): readonly Markup[] {
  const judged = byArea(findings.filter(({ subject }) => isClause(subject)))
  const bare = Map.groupBy(run.record.uncovered, ({ clause }) => areaOf[clause])
  const known = Object.keys(areas) as Area[]
  const names = new Set([...known.filter((area) => judged.has(area) || bare.has(area)), ...judged.keys()])
  return [...names].map((area) => areaTable(area, judged.get(area) ?? [], bare.get(area) ?? []))
}

function areaTable(area: Area, findings: readonly Finding[], bare: Run['record']['uncovered']): Markup {
  const checked = Map.groupBy(findings, ({ subject }) => subject)
  const rows = [...checked]
    .toSorted(byCatalogue)
    .map(([subject, own]) => clauseRow(subject, own[0]?.level ?? '', own.map(said)))
  const open = bare.map(({ clause, why }) => clauseRow(clause, levelOf(clause), [html`not covered: ${why}`]))
  const without = bare.length > 0 ? `, ${bare.length} not covered` : ''
  return html`<details>
    <summary>${area}: ${checked.size} clauses checked${without}. ${verdictCounts(findings)}</summary>
    <table class="clauses">
      <caption>
        Clauses of ${area}
      </caption>
      <thead>
        <tr>
          <th scope="col">clause</th>
          <th scope="col">what has to hold</th>
          <th scope="col">said of it</th>
        </tr>
      </thead>
      <tbody>
        ${rows}${open}
      </tbody>
    </table>
  </details> `
}

function verdictCounts(findings: readonly Finding[]): readonly Markup[] {
  const own = tally(findings)
  return verdictOrder
    .filter((verdict) => own[verdict] > 0)
    .map((verdict) => html` ${badge(verdict)} ${own[verdict]}`)
}

const catalogue: readonly string[] = clauseIds

function byCatalogue([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return catalogue.indexOf(one) - catalogue.indexOf(other)
}

function clauseRow(subject: string, level: string, said: readonly Markup[]): Markup {
  const { text, source } = subjectOf(subject)
  return html`<tr>
    <th scope="row"><code>${subject}</code><br /><span class="soft">${level}</span></th>
    <td>${prose(text)}<br /><span class="soft">${source}</span></td>
    <td>${said.length === 1 ? said : list(said)}</td>
  </tr> `
}

function levelOf(clause: ClauseId): string {
  return clauses[clause]?.level ?? ''
}

function said(finding: Finding): Markup {
  const exchanges =
    finding.evidence.length > 0
      ? html` <span class="soft">(exchange ${finding.evidence.slice(0, 6).join(', ')})</span>`
      : nothing
  const shown = shownAbleToFail(finding.check)
  const proof = shown === undefined ? nothing : html`<br /><span class="soft">${shown}</span>`
  return html`${badgeOf(finding)} ${finding.title}${exchanges}${proof}`
}
