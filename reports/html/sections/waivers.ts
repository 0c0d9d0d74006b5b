/** Failures that the policy lets through: who answers for each, why, and for how long. */
import type { Finding, Run, Waiver } from '../../bundle/record.ts'
import { daysLeft } from '../../verdicts/standing.ts'
import { shorten } from '../../visible.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { wordTable } from '../elements/table.ts'
import { clauseLink, list, prose, webLink } from '../elements/words.ts'

type Waived = Finding & { waived: Waiver }

/** A summary shows so many; the card of each failure has its waiver, too. */
const mostRows = 6
const mostText = 80

/** The first to expire comes first. */
export function waivedOf(findings: readonly Finding[]): readonly Waived[] {
  const waived = findings.filter((finding): finding is Waived => finding.waived !== undefined)
  return waived.toSorted((one, other) => (one.waived.expires < other.waived.expires ? -1 : 1))
}

export function waivers({ record }: Run): readonly Markup[] {
  const rows = waivedOf(record.findings)
  const stale = record.gate.stalePolicy
  const rest = rows.length - mostRows
  return [
    rows.length > 0 ? table(rows.slice(0, mostRows), record.run.endedAt) : html`<p>No failure is waived.</p>`,
    rest > 0 ? html`<p>${rest} more: each failure below shows its waiver.</p>` : noMarkup,
    ...(stale.length > 0
      ? [html`<p>Policy entries that no longer match, or have expired:</p>`, list(stale.map(prose))]
      : []),
  ]
}

const names = { 'known-failure': 'known failure', flaky: 'flaky' } as const

function table(rows: readonly Waived[], endedAt: string): Markup {
  const cells = ({ waived }: Waived): readonly Hole[] => [
    prose(waived.owner),
    prose(shorten(waived.reason, mostText)),
    waived.issue === undefined ? 'none' : webLink(waived.issue),
    html`${waived.expires}, <strong>${daysLeft(waived.expires, endedAt)}</strong>`,
  ]
  return wordTable(
    'A waived failure passes the gate and stays a failure. Days are counted from the end of the run.',
    ['check', 'owner', 'reason', 'issue', 'expires'],
    rows.map((row) => ({
      head: html`${clauseLink(row.subject)}<br /><span class="soft"
          >${row.check}, ${names[row.waived.as]}</span
        >`,
      cells: cells(row),
    })),
  )
}
