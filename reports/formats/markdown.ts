/**
 * A summary for the page of a CI job: both answers first, then what is broken, then what was not looked at. Cut
 * well before the limit at which such pages drop it whole, and never in the middle of a line.
 */
import { counterexampleFolder } from '../bundle/curl.ts'
import type { Finding, Run } from '../bundle/record.ts'
import { alike } from '../findings/alike.ts'
import type { Alike } from '../findings/alike.ts'
import { caveats } from '../run/caveats.ts'
import { sinceSection } from '../diff/markdown.ts'
import { earlyEnd } from '../run/early-end.ts'
import type { Beside, Exporter } from './exporter.ts'
import { groupsOf } from '../verdicts/not-exercised.ts'
import { planKept } from '../run/plan-kept.ts'
import { leftOutWords, rowsOf } from '../verdicts/rows.ts'
import { answerOf, scopeLines } from '../run/scope.ts'
import { standingOf } from '../verdicts/standing.ts'
import { subjectOf } from '../run/subject.ts'
import { byArea, countsLine, tally } from '../verdicts/tally.ts'
import { verdictOrder, verdictWords } from '../verdicts/verdicts.ts'
import { shorten, visibleLine } from '../visible.ts'

export const markdown: Exporter = { name: 'markdown', file: 'summary.md', render }

/** Bytes. CI pages take 1 MiB; who scrolls further than this opens the page. */
export const mostBytes = 60_000
const mostText = 300

function render(run: Run, beside?: Beside): string {
  const rows = rowsOf(run)
  const lines = [
    ...head(run, rows, earlyEnd(run, beside)),
    ...(beside?.changes ? sinceSection(beside.changes) : []),
    ...cards('Failures', rows.filter(isFailure), { run, beside }),
    ...cards(
      'Warnings',
      rows.filter(({ verdict }) => verdict === 'warn'),
      { run, beside },
    ),
    ...counts(rows),
    ...notExercised(rows),
    ...limits(run),
  ]
  return cut([...lines, '', countsLine(rows), ''])
}

function head(run: Run, rows: readonly Finding[], early: string | null): readonly string[] {
  const { record } = run
  const { sign, word, means } = answerOf(record)
  const { count, of } = planKept(run)
  const gate = record.gate.passed ? '✓ gate passed' : '✗ gate failed'
  const simulated = record.target.kind === 'simulator'
  return [
    `## ${sign} ${word}: ${plain(record.target.name)}`,
    '',
    ...(simulated ? ['> **Simulator run.** It says nothing about the live service.', ''] : []),
    ...scopeLines(record).flatMap(({ title, words }) => [
      `> **${title}.** ${plain(shorten(words, mostText))}`,
      '',
    ]),
    ...(early === null ? [] : [`> **${plain(shorten(early, mostText))}**`, '']),
    `${means} ${leftOutWords(run)}`.trim(),
    '',
    `**${gate}** (exit code ${record.exitCode})${record.gate.because.length > 0 ? ':' : ''}`,
    ...record.gate.because.map((because) => `- ${plain(because)}`),
    '',
    `${count} ${of} · ${record.run.profile} profile · seed ${record.run.seed}`,
    `· clauses of ${plain(record.contract.revision)} · ${record.tool.name} ${record.tool.version}`,
    ...waivers(rows),
  ]
}

function waivers(rows: readonly Finding[]): readonly string[] {
  const waived = rows.flatMap((row) => row.waived ?? [])
  const [next] = waived.map(({ expires }) => expires).sort()
  return next === undefined ? [] : ['', `${waived.length} waived; the next waiver expires ${next}.`]
}

const isFailure = ({ verdict }: Finding): boolean => verdict === 'fail' || verdict === 'error'

interface From {
  run: Run
  beside: Beside | undefined
}

function cards(title: string, findings: readonly Finding[], from: From): readonly string[] {
  const found = alike(findings)
  if (found.length === 0) return []
  return ['', `### ${title} (${found.length})`, '', ...found.flatMap((one) => card(one, from))]
}

function card({ finding, also }: Alike, { run, beside }: From): readonly string[] {
  const { text } = subjectOf(finding.subject, run.record.target.identifiers)
  const standing = standingOf(finding)
  const item = (name: string, value: string | undefined): readonly string[] =>
    value === undefined || value === '' ? [] : [`  - ${name}: ${plain(shorten(value, mostText))}`]
  const again = `${counterexampleFolder(finding.check)}/scenario.json`
  return [
    `- ${verdictWords[finding.verdict].sign} **${finding.subject}** (${finding.level}${standing ? `, ${plain(standing)}` : ''}): ${worded(text)}`,
    ...item('expected', finding.expected),
    ...item('got', finding.got),
    ...item('detail', finding.detail),
    ...item('check', finding.check),
    ...item('also', also.join(' ')),
    ...(beside?.files.has(again) ? [`  - replay: \`npx touchstone replay ${again} --base-url URL\``] : []),
  ]
}

function counts(rows: readonly Finding[]): readonly string[] {
  const shown = verdictOrder.filter((verdict) => tally(rows)[verdict] > 0)
  const cells = (all: readonly Finding[]) => shown.map((verdict) => String(tally(all)[verdict] || '·'))
  const row = (words: readonly string[]) => `| ${words.join(' | ')} |`
  return [
    '',
    '### Counts',
    '',
    row(['area', ...shown.map((verdict) => verdictWords[verdict].word)]),
    row(['---', ...shown.map(() => '--:')]),
    ...[...byArea(rows)].map(([area, findings]) => row([area, ...cells(findings)])),
    row(['all', ...cells(rows)]),
  ]
}

function notExercised(rows: readonly Finding[]): readonly string[] {
  const groups = groupsOf(rows)
  if (groups.length === 0) return []
  const lines = groups.map(
    ({ says, provide, findings }) => `- ${findings.length} × ${says}: ${plain(provide)}`,
  )
  return ['', '### Not exercised', '', ...lines]
}

function limits({ record }: Run): readonly string[] {
  return ['', '### What this does not prove', '', ...caveats(record).map((caveat) => `- ${caveat}`)]
}

/** What a target sent is text, whatever signs it has. */
function plain(text: string): string {
  return visibleLine(text).replace(/[\\`*_{}[\]<>()#+!|~@&]/g, (sign) =>
    sign === '<' ? '&lt;' : `\\${sign}`,
  )
}

/** Words of ours, in which names stand between backticks. */
function worded(text: string): string {
  const parts = text.split(/(`[^`]+`)/)
  return parts.map((part, at) => (at % 2 === 1 ? part : plain(part))).join('')
}

function cut(lines: readonly string[]): string {
  const kept: string[] = []
  let bytes = 0
  for (const [at, line] of lines.entries()) {
    bytes += Buffer.byteLength(line) + 1
    if (bytes > mostBytes) return `${kept.join('\n')}\n\n… ${lines.length - at} more lines: see report.html\n`
    kept.push(line)
  }
  return kept.join('\n')
}
