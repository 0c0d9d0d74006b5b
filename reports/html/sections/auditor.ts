/** For auditors: what was not tested and why, digests that identify the run, and every clause with its evidence. */
import type { Finding } from '../../bundle/record.ts'
import { apartMeans, apartTitle } from '../../verdicts/apart.ts'
import { caveats } from '../../run/caveats.ts'
import { apartClauseRows, type ClauseRow } from '../../verdicts/clause-verdicts.ts'
import { cards, type Materials } from './cards.ts'
import { areasOf, creditChartsOf } from './charts.ts'
import { clauseTables } from './clauses.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import type { ExchangeViews } from './exchanges.ts'
import { glossary } from './glossary.ts'
import { identity, redactions, spent } from './identity.ts'
import { matrix } from './matrix.ts'
import { notTested } from './not-tested.ts'
import { observedPart } from './observed.ts'
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
    part('not-tested', 'Not tested, and why', notTested(run, together, clauses)),
    part('counts', 'Clauses and checks by area', [...matrix(clauses, 'Clauses'), areasOf(run)]),
    part('identity', 'Identity and digests', identity(run)),
    part('used', 'Usage', [...spent(run), creditChartsOf(run)]),
    part('redaction', 'Redacted secrets', redactions(run)),
    part('clauses', 'Every clause', clauseTables(clauses, from)),
    part('exchanges', 'Evidence of checks that did not fail', shown),
    part('observed', 'Observed behaviour that the contract does not specify', observedPart(together)),
    part('apart', apartTitle, judgedApart(apart, from)),
    part('limits', 'What this report does not prove', [list(caveats(run.record))]),
    part('glossary', 'Glossary', [glossary()]),
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
    html`<p>At most ${mostOfPass} exchanges of each check; all are in journal.ndjson.</p>`,
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
    ...(rows.some(({ verdict }) => verdict === 'observed') ? observedPart(rows) : [noMarkup]),
  ]
}
