/** For auditors: what was and was not shown, what pins the run down, and every clause with what stands behind it. */
import type { Finding } from '../../bundle/record.ts'
import { apartMeans, apartTitle } from '../../verdicts/apart.ts'
import { caveats } from '../../run/caveats.ts'
import { apartClauseRows, type ClauseRow } from '../../verdicts/clause-verdicts.ts'
import { cards, type Materials } from './cards.ts'
import { creditChartsOf } from './charts.ts'
import { clauseTables } from './clauses.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import type { ExchangeViews } from './exchanges.ts'
import { glossary } from './glossary.ts'
import { identity, redactions, spent } from './identity.ts'
import { matrix } from './matrix.ts'
import { notShown } from './not-shown.ts'
import { observedRow } from './release.ts'
import { folded, lane, list, part } from '../elements/words.ts'

export interface Findings {
  together: readonly Finding[]
  apart: readonly Finding[]
}

export function auditorLane(
  { together, apart }: Findings,
  clauses: readonly ClauseRow[],
  from: Materials,
): Markup {
  const { run, exchanges } = from
  // Made before what refers to it, and shown after.
  const shown = proofs(together, exchanges)
  return lane('auditor', 'For auditors', [
    part('counts', 'Clauses by area and level', matrix(clauses, 'Clauses')),
    part('not-shown', 'What was not shown, and why', notShown(together, clauses)),
    part('identity', 'Identity and digests', identity(run)),
    part('used', 'What the run used', [...spent(run), creditChartsOf(run)]),
    part('redaction', 'What was taken out', redactions(run)),
    part('clauses', 'Every clause', clauseTables(clauses, from)),
    part('exchanges', 'Exchanges that the verdicts rest on', shown),
    part('apart', apartTitle, judgedApart(apart, from)),
    part('limits', 'What this report does not prove', [list(caveats(run.record))]),
    part('glossary', 'What the words mean', [glossary()]),
  ])
}

const mostOfPass = 2

/** Of what did not fail: the first of each, which show most. Folded on paper, too. */
function proofs(rows: readonly Finding[], exchanges: ExchangeViews): readonly Markup[] {
  const ids = rows.flatMap(({ evidence }) => evidence.slice(0, mostOfPass))
  const fresh = [...new Set(ids)].filter((id) => !exchanges.has(id)).toSorted((one, other) => one - other)
  const items = fresh.map((id) => ({ shown: exchanges.show(id), id })).filter(({ id }) => exchanges.has(id))
  if (items.length === 0) return []
  return [
    html`<p>At most ${mostOfPass} of each check that did not fail; all are in journal.ndjson.</p>`,
    folded(
      `${items.length} exchanges`,
      html`<ol class="proof">
        ${items.map(({ shown }) => html`<li>${shown}</li>`)}
      </ol>`,
    ),
  ]
}

function judgedApart(rows: readonly Finding[], from: Materials): readonly Markup[] {
  if (rows.length === 0) return []
  const wrong = rows.filter(({ verdict }) => ['fail', 'error', 'warn', 'inconclusive'].includes(verdict))
  const clauses = apartClauseRows(from.run)
  return [
    html`<p>${apartMeans}</p>`,
    ...cards(wrong, from),
    ...matrix(clauses, 'Clauses judged apart'),
    ...clauseTables(clauses, from),
    ...(rows.some(({ verdict }) => verdict === 'observed') ? observedRow(rows) : [noMarkup]),
  ]
}
