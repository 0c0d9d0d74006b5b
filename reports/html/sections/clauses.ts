/** Every clause with its results, folded by area. */
import type { areas } from '../../../spec/index.ts'
import type { Finding } from '../../bundle/record.ts'
import type { ClauseRow } from '../../verdicts/clause-verdicts.ts'
import { shownAbleToFail } from '../../proof/shown.ts'
import { subjectOf } from '../../run/subject.ts'
import { statesOf, type Materials } from './cards.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import type { ExchangeViews } from './exchanges.ts'
import { clauseBadge } from './matrix.ts'
import { wordTable, type TableRow } from '../elements/table.ts'
import { badgeOf, counted, folded, list, prose } from '../elements/words.ts'

const mostIds = 6

/** One folded table an area; areas that this run did not ask for anything are named together. */
type From = Pick<Materials, 'run' | 'exchanges'>

export function clauseTables(rows: readonly ClauseRow[], from: From): readonly Markup[] {
  const asked = new Set(rows.filter(({ verdict }) => verdict !== 'not-planned').map(({ area }) => area))
  const byArea = [...Map.groupBy(rows, ({ area }) => area)]
  const tables = byArea.filter(([area]) => asked.has(area)).map(([area, own]) => areaTable(area, own, from))
  const left = byArea.filter(([area]) => !asked.has(area)).map(([area]) => area)
  if (left.length === 0) return tables
  return [...tables, html`<p>Areas without a check in this run: ${left.join(', ')}.</p>`]
}

function areaTable(area: keyof typeof areas, own: readonly ClauseRow[], from: From): Markup {
  const byVerdict = [...Map.groupBy(own, ({ verdict }) => verdict)]
  const counts = byVerdict.map(([verdict, some]) => html` ${clauseBadge(verdict)} ${some.length}`)
  return folded(
    html`${area}: ${counted(own.length, 'clause')}. ${counts}`,
    wordTable(
      `Clauses of ${area}`,
      ['clause', 'requirement', 'result'],
      own.map((row) => clauseRow(row, from)),
    ),
  )
}

function clauseRow(
  { clause, level, verdict, findings, why, counts }: ClauseRow,
  { run, exchanges }: From,
): TableRow {
  const { text, words } = subjectOf(clause, run.record)
  const provisional = counts ? '' : ', provisional'
  const unsaid = html`${clauseBadge(verdict)}${why === undefined ? noMarkup : html`: ${prose(why)}`}`
  const said = findings.map((finding) => saidOf(finding, exchanges))
  return {
    id: clause,
    head: html`<code>${clause}</code><br /><span class="soft">${level}${provisional}</span>`,
    cells: [
      html`${prose(text)}<br /><span class="soft">${prose(words)}</span>`,
      said.length === 0 ? unsaid : said.length === 1 ? said : list(said),
    ],
  }
}

/** Verdict, scenario, check, exchanges, how its states came about, and what has shown that it can fail. */
function saidOf(finding: Finding, exchanges: ExchangeViews): Markup {
  const { title, check, evidence } = finding
  const rest = evidence.length - mostIds
  const more = rest > 0 ? ` and ${rest} more` : ''
  const states = statesOf(finding)
  const facts = [
    html`<code>${check}</code>`,
    ...(evidence.length > 0
      ? [
          html`${evidence.length === 1 ? 'exchange' : 'exchanges'}
          ${exchanges.mention(evidence.slice(0, mostIds))}${more}`,
        ]
      : []),
    ...(states === undefined ? [] : [states]),
    shownAbleToFail(check) ?? 'no fault that this check detects',
  ]
  return html`${badgeOf(finding)} ${prose(title)}<br /><span class="soft"
      >${facts.map((fact, index) => [index > 0 ? '; ' : '', fact])}</span
    >`
}
