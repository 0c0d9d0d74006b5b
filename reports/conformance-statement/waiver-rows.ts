/** Every waiver of a run: who answers for it, until when, and why. */
import type { Run } from '../bundle/record.ts'
import { html } from '../html/elements/escape.ts'
import type { Markup } from '../html/elements/escape.ts'
import { wordTable } from '../html/elements/table.ts'
import { prose } from '../html/elements/words.ts'
import { waivedOf } from '../html/sections/waivers.ts'
import { daysLeft } from '../verdicts/standing.ts'
import { shorten } from '../visible.ts'

const mostRows = 20
const mostText = 120

export function waiverRows({ record }: Run): readonly Markup[] {
  const waived = waivedOf(record.findings)
  if (waived.length === 0) return [html`<p>No failure is waived.</p>`]
  const rows = waived.slice(0, mostRows).map(({ check, waived: { owner, expires, reason } }) => ({
    head: html`<code>${check}</code>`,
    cells: [
      prose(owner),
      `${expires}, ${daysLeft(expires, record.run.endedAt)}`,
      prose(shorten(reason, mostText)),
    ],
  }))
  const rest = waived.length - rows.length
  return [
    wordTable(
      `A waived failure passes the gate and stays a failure. Days are counted from the end of the run.`,
      ['check', 'owner', 'expires', 'reason'],
      rows,
    ),
    ...(rest > 0 ? [html`<p>${rest} more are in the report of the run.</p>`] : []),
  ]
}
