/** Failures that the policy lets through: who answers for each, and until when. */
import type { Finding, Run, Waiver } from '../../bundle/record.ts'
import { html } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { wordTable } from '../elements/table.ts'
import { clauseLink, list } from '../elements/words.ts'

type Waived = Finding & { waived: Waiver }

/** The first to expire comes first. */
export function waivedOf(findings: readonly Finding[]): readonly Waived[] {
  const waived = findings.filter((finding): finding is Waived => finding.waived !== undefined)
  return waived.toSorted((one, other) => (one.waived.expires < other.waived.expires ? -1 : 1))
}

/** Counted from the end of the run, so that the page says the same whenever it is made. */
export function daysLeft(expires: string, endedAt: string): string {
  const days = Math.round((Date.parse(expires) - Date.parse(endedAt.slice(0, 10))) / 86_400_000)
  if (days < 0) return 'which was before the run'
  return days === 0 ? 'the day of the run' : `${days} ${days === 1 ? 'day' : 'days'} after the run`
}

export function waivers({ record }: Run): readonly Markup[] {
  const rows = waivedOf(record.findings)
  const stale = record.gate.stalePolicy
  return [
    rows.length > 0 ? table(rows) : html`<p>No failure of this run is waived.</p>`,
    ...(stale.length > 0 ? [html`<p>Entries of the policy that no longer hold:</p>`, list(stale)] : []),
  ]
}

const names = { 'known-failure': 'known failure', flaky: 'flaky' } as const

function table(rows: readonly Waived[]): Markup {
  const cells = ({ waived }: Waived): readonly Hole[] => [
    names[waived.as],
    waived.owner,
    waived.reason,
    waived.issue === undefined ? 'none' : issueOf(waived.issue),
    waived.expires,
  ]
  return wordTable(
    'A waived failure passes the gate and stays a failure',
    ['check', 'as', 'owner', 'reason', 'issue', 'expires'],
    rows.map((row) => ({
      head: html`${clauseLink(row.subject)}<br /><span class="soft">${row.check}</span>`,
      cells: cells(row),
    })),
  )
}

/** Only what leads to a web page is a link. */
function issueOf(issue: string): Hole {
  return /^https?:\/\//i.test(issue) ? html`<a href="${issue}" rel="noreferrer">${issue}</a>` : issue
}
