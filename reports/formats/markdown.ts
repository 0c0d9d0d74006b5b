/**
 * A summary for the page of a CI job: both answers first, then what is broken, then what was not looked at. Cut
 * well before the limit at which such pages drop it whole, and never in the middle of a line.
 */
import { counterexampleFolder } from '../bundle/curl.ts'
import { ownCommand } from '../bundle/own-command.ts'
import { clauseSetWords } from '../bundle/clause-set.ts'
import type { Finding, Run, RunRecord } from '../bundle/record.ts'
import { alike } from '../findings/alike.ts'
import type { Alike } from '../findings/alike.ts'
import { caveats } from '../run/caveats.ts'
import { sinceSection } from '../diff/markdown.ts'
import { earlyEnd } from '../run/early-end.ts'
import type { Beside, Exporter } from './exporter.ts'
import { groupsOf } from '../verdicts/not-exercised.ts'
import { howToDeclareVersion, originLine, sourceLine } from '../run/origin-words.ts'
import { planKept } from '../run/plan-kept.ts'
import { clauseRows, type ClauseRow } from '../verdicts/clause-verdicts.ts'
import {
  coverageByArea,
  coverageKinds,
  coverageOf,
  coverageWords,
  percentPassed,
  testedOf,
  type Coverage,
} from '../verdicts/coverage.ts'
import { daysLeft, standingOf, levelNote } from '../verdicts/standing.ts'
import { leftOutWords, rowsOf } from '../verdicts/rows.ts'
import { answerOf, gateOf, scopeLines } from '../run/scope.ts'
import { subjectOf } from '../run/subject.ts'
import { countsLine } from '../verdicts/tally.ts'
import { otherSetWords } from '../verdicts/other-sets.ts'
import { entriesToAccept, howToAccept, moreToAccept } from '../verdicts/to-accept.ts'
import { underTest } from '../verdicts/under-test.ts'
import { verdictWords } from '../verdicts/verdicts.ts'
import { shorten, visibleLine } from '../visible.ts'

export const markdown: Exporter = { name: 'markdown', file: 'summary.md', render }

/** Bytes. CI pages take 1 MiB; who scrolls further than this opens the page. */
export const mostBytes = 60_000
const mostText = 300
const mostWaivers = 20
const mostDetails = 8
const mostMoves = 20

function render(run: Run, beside?: Beside): string {
  const rows = rowsOf(run)
  const clauses = clauseRows(run)
  const lines = [
    ...head(run, clauses, earlyEnd(run, beside)),
    ...otherSets(run.record),
    ...(beside?.changes ? sinceSection(beside.changes) : []),
    ...cards('Failures', rows.filter(isFailure), { run, beside }),
    ...cards(
      'Warnings',
      rows.filter(({ verdict }) => verdict === 'warn'),
      { run, beside },
    ),
    ...coverageTable(clauses),
    ...notExercised(rows),
    ...limits(run),
  ]
  return cut([...lines, '', countsLine(rows), ''])
}

function head(run: Run, clauses: readonly ClauseRow[], early: string | null): readonly string[] {
  const { record } = run
  const { sign, word, means } = answerOf(record)
  const { count, of } = planKept(run)
  const gate = record.gate.passed ? `✓ ${gateOf(record)} passed` : `✗ ${gateOf(record)} failed`
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
    ...toAccept(run),
    '',
    `${coverageWords(coverageOf(clauses))}.`,
    '',
    `${count} ${of}`,
    '',
    ...about(record),
    ...waivers(record),
  ]
}

const mostEntries = 20

/** What a policy needs so that the gate accepts what has no result. */
function toAccept(run: Run): readonly string[] {
  const entries = entriesToAccept(run)
  if (entries.length === 0) return []
  const rest = entries.length - mostEntries
  return [
    '',
    howToAccept,
    '',
    '```yaml',
    ...entries.slice(0, mostEntries),
    '```',
    ...(rest > 0 ? ['', `${moreToAccept(rest)}.`] : []),
  ]
}

/** What was tested, by whom and how, a line each. */
function about(record: RunRecord): readonly string[] {
  const { run, contract, tool } = record
  const { job, url } = run.origin ?? {}
  const lines = [
    [underTest(record.target), howToDeclareVersion(record)].filter(Boolean).join('; '),
    [originLine(record), sourceLine(record)].filter(Boolean).join(': '),
    job === undefined && url === undefined ? '' : `CI job: ${[job, url].filter(Boolean).join(', ')}`,
    `${run.profile} profile, seed ${run.seed}, clauses of ${clauseSetWords(contract)}, ${tool.name} ${tool.version}`,
  ]
  return lines.filter((line) => line !== '').map((line) => `- ${codeMarked(shorten(line, mostText))}`)
}

function otherSets(record: RunRecord): readonly string[] {
  return otherSetWords(record).flatMap(({ words, title, gate, because, lines }) => {
    const shown = [...because, ...lines.slice(0, mostMoves)]
    const rest = lines.length - mostMoves
    return [
      '',
      `### ${words.sign} ${plain(title)}`,
      '',
      `${plain(gate)}.`,
      '',
      ...[...shown, ...(rest > 0 ? [`${rest} more: see run.json`] : [])].map(
        (line) => `- ${codeMarked(line)}`,
      ),
    ]
  })
}

/** The first to expire comes first. */
function waivers({ findings, run }: RunRecord): readonly string[] {
  const waived = findings.flatMap(({ subject, waived }) => (waived ? [{ subject, waived }] : []))
  if (waived.length === 0) return []
  const byDate = waived.toSorted((one, other) => (one.waived.expires < other.waived.expires ? -1 : 1))
  const lines = byDate.slice(0, mostWaivers).map(({ subject, waived: { owner, reason, expires } }) => {
    const words = plain(shorten(`${owner}: ${reason}`, mostText))
    return `- ${subject}: ${words}; expires ${expires}, ${daysLeft(expires, run.endedAt)}`
  })
  const rest = byDate.length - lines.length
  return ['', `### Waivers (${waived.length})`, '', ...lines, ...(rest > 0 ? [`- ${rest} more`] : [])]
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
  const { text } = subjectOf(finding.subject, run.record)
  const standing = standingOf(finding)
  const item = (name: string, value: string | undefined): readonly string[] =>
    value === undefined || value === '' ? [] : [`  - ${name}: ${codeMarked(shorten(value, mostText))}`]
  const again = `${counterexampleFolder(finding.check)}/replay.json`
  return [
    `- ${verdictWords[finding.verdict].sign} **${finding.subject}** (${finding.level}${levelNote(finding)}${standing ? `, ${plain(standing)}` : ''}): ${codeMarked(text)}`,
    ...item('expected', finding.expected),
    ...item('actual', finding.got),
    ...item('detail', finding.detail),
    ...item('check', `\`${finding.check}\``),
    ...item('also', also.map((subject) => `\`${subject}\``).join(' ')),
    ...(beside?.files.has(again) ? [`  - reproduce: \`${ownCommand} replay ${again} --base-url URL\``] : []),
  ]
}

function coverageTable(rows: readonly ClauseRow[]): readonly string[] {
  const areas = coverageByArea(rows)
  const kinds = coverageKinds.filter((kind) => areas.some(([, { counts }]) => counts[kind] > 0))
  const row = (words: readonly (string | number)[]) => `| ${words.join(' | ')} |`
  const cells = (own: Coverage) => [
    ...kinds.map((kind) => own.counts[kind]),
    own.all,
    `${percentPassed(own)} %`,
  ]
  const tested = areas.filter(([, own]) => testedOf(own) > 0)
  const others = areas.filter(([, own]) => testedOf(own) === 0).map(([area]) => area)
  return [
    '',
    '### MUST clauses by area',
    '',
    row(['area', ...kinds, 'MUST clauses', 'share passed']),
    row(['---', ...kinds.map(() => '--:'), '--:', '--:']),
    ...tested.map(([area, own]) => row([area, ...cells(own)])),
    row(['all areas', ...cells(coverageOf(rows))]),
    ...(others.length === 0 ? [] : ['', `Not tested: ${others.join(', ')}.`]),
  ]
}

function notExercised(rows: readonly Finding[]): readonly string[] {
  const groups = groupsOf(rows)
  if (groups.length === 0) return []
  const lines = groups.flatMap(({ says, provide, findings, details }) => [
    `- ${counted(findings.length)}: ${codeMarked(says)} ${codeMarked(provide)}`,
    ...details.slice(0, mostDetails).map((detail) => `  - ${codeMarked(shorten(detail, mostText))}`),
  ])
  return ['', '### Not tested', '', ...lines]
}

function limits({ record }: Run): readonly string[] {
  return ['', '### What this does not prove', '', ...caveats(record).map((caveat) => `- ${caveat}`)]
}

const counted = (count: number): string => (count === 1 ? '1 check' : `${count} checks`)

/** On one line: a sign stands for each line break. */
const oneLine = (text: string): string => visibleLine(text.replace(/\s*\n\s*/g, ' ⏎ '))

/** What a target sent is text, whatever signs it has. */
export function plain(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>()#+!|~@&]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`))
}

/** Text in which names stand between backticks. */
export function codeMarked(text: string): string {
  const parts = oneLine(text).split(/(`[^`]+`)/)
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
