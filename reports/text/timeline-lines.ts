/** The exchanges that explain a failure, a line or two each on one time axis, and the decisive one as a command. */
import { curlOf } from '../bundle/curl.ts'
import type { Finding, Run } from '../bundle/record.ts'
import { timelineOf, type FailureTimeline, type TimelineRow } from '../findings/timeline.ts'
import { visibleLine } from '../visible.ts'
import { hang } from './columns.ts'

const mostExchanges = 8
/** Without citations, nobody says which of them matter. */
const mostUncited = 4
/** Characters of the bar that shows when a request was in flight. */
const barWidth = 10
/** Columns before a body. */
const indent = 20

export function timelineLines(
  finding: Finding,
  { run: { journal, record }, width, fullReport }: { run: Run; width: number; fullReport: string },
): readonly string[] {
  const timeline = timelineOf(finding, journal, {
    rows: finding.cited ? mostExchanges : mostUncited,
    body: width - indent,
  })
  const { rows, rest } = timeline
  if (rows.length === 0) return []
  const curls = rows
    .filter(({ decisive, exchange }) => decisive && !exchange.inbound)
    .map(({ exchange }) => `  curl      ${visibleLine(curlOf(exchange, record.target))}`)
  return [
    '  exchanges',
    ...rows.flatMap((row) => rowLines(row, timeline, width)),
    ...(rest > 0 ? [`          +${rest} more: see ${fullReport} or journal.ndjson`] : []),
    ...curls,
  ]
}

function rowLines(row: TimelineRow, { rows, concurrent }: FailureTimeline, width: number): readonly string[] {
  const { exchange, role, decisive, summary, sent, received, header } = row
  const mark = decisive && rows.length > 1 ? '→' : ' '
  const time = rows.length === 1 ? '' : concurrent ? inFlight(row, rows) : `+${Math.round(row.from)} ms  `
  const label = `${`  ${mark} ${String(exchange.id).padStart(4)}`.padEnd(8)}  `
  const body = (name: string, text: string): readonly string[] =>
    text === '' ? [] : [hang(`          ${name.padEnd(indent - 10)}`, text, width)]
  return [
    hang(label, `${time}${role}: ${summary}`, width),
    ...body('header', header),
    ...(exchange.inbound ? body('received', sent) : [...body('sent', sent), ...body('received', received)]),
  ]
}

/** Such as `   ├─────┤  12-61 ms  `: bars above one another show which requests overlapped. */
function inFlight({ from, to }: TimelineRow, rows: readonly TimelineRow[]): string {
  const end = Math.max(1, ...rows.map((row) => row.to))
  const at = (time: number): number => Math.round((time / end) * (barWidth - 1))
  const [first, last] = [at(from), at(to)]
  const bar = first === last ? '│' : `├${'─'.repeat(last - first - 1)}┤`
  return `${(' '.repeat(first) + bar).padEnd(barWidth)}  ${Math.round(from)}-${Math.round(to)} ms  `
}
