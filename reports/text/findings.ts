/** The parts of the summary that name findings. Everything a target said is made visible and cut. */
import type { Finding, Run } from '../bundle/record.ts'
import { clientSteps } from '../findings/client-steps.ts'
import { alike } from '../findings/alike.ts'
import { checkAgain } from '../findings/check-again.ts'
import type { Alike } from '../findings/alike.ts'
import { evidenceOf } from '../findings/evidence.ts'
import { curlOf, quote } from '../bundle/curl.ts'
import { groupsOf } from '../verdicts/not-exercised.ts'
import { standingOf } from '../verdicts/standing.ts'
import { subjectOf } from '../run/subject.ts'
import { summary } from '../findings/transcript.ts'
import { verdictWords } from '../verdicts/verdicts.ts'
import { shorten, visibleLine } from '../visible.ts'
import { hang, wrap } from './columns.ts'
import type { Paint } from './paint.ts'

export interface Page {
  run: Run
  rows: readonly Finding[]
  paint: Paint
  width: number
  /** Path of the replay file of a failed check, if it was written. */
  scenarios: (check: string) => string | null
}

/** A terminal is no place for hundreds of cards; the page has them all. */
const mostCards = 20
const mostExchanges = 3
const mostText = 400

export function failureLines(page: Page): string[] {
  const found = page.rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
  if (found.length === 0) return []
  const groups = alike(found)
  const shown = groups.slice(0, mostCards).map((group) => card(group, page))
  return [title('Failures', found, page), ...shown, more(groups.length, page)]
}

function card({ finding, also }: Alike, { run, paint, width, scenarios }: Page): string {
  const { sign, tone } = verdictWords[finding.verdict]
  const { text, words } = subjectOf(finding.subject, run.record.target.identifiers)
  const standing = standingOf(finding)
  const suffix = standing === undefined ? '' : `, ${standing}`
  const lines = [
    `${paint(tone, `${sign} ${visibleLine(finding.subject)}`)}  ${finding.level}${visibleLine(suffix)}`,
    hang('  ', visibleLine(text), width),
    field('contract', words, width),
    field('also', also.length > 0 ? listed(also) : undefined, width),
    field('scenario', finding.title, width),
    field('expected', finding.expected, width),
    field('got', finding.got, width),
    field('detail', finding.detail, width),
    ...clientSteps(finding, run).map((line) => field('client', line, width)),
    again(finding, run, scenarios),
    ...exchanges(finding, run, width),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function field(name: string, value: string | undefined, width: number): string {
  if (value === undefined || value === '') return ''
  return hang(`  ${name.padEnd(8)}  `, visibleLine(shorten(value, mostText)), width)
}

/** A command to paste, so never wrapped. */
function again({ check }: Finding, { record }: Run, scenarios: Page['scenarios']): string {
  const scenario = scenarios(check)
  if (record.target.kind === 'client') return `  again     npx ${visibleLine(checkAgain(check, record))}`
  return scenario === null
    ? ''
    : `  again     npx touchstone replay ${visibleLine(quote(Buffer.from(scenario)))} --base-url URL`
}

/** The requests as commands to paste, so never wrapped. */
function exchanges(finding: Finding, { journal, record }: Run, width: number): string[] {
  const { ids, decisive } = evidenceOf(finding, mostExchanges)
  const found = ids.flatMap((id) => journal.find((exchange) => exchange.id === id) ?? [])
  return found.flatMap((exchange) => [
    hang(
      `  exchange ${exchange.id}  `,
      `${summary(exchange)}${exchange.id === decisive ? '  ← shows it' : ''}`,
      width,
    ),
    ...(exchange.inbound ? [] : [`    ${visibleLine(curlOf(exchange, record.target.baseUrl))}`]),
  ])
}

/** Warnings and what was inconclusive, in brief. */
export function others(page: Page): string[] {
  return (['warn', 'inconclusive'] as const).flatMap((verdict) => {
    const found = page.rows.filter((finding) => finding.verdict === verdict)
    if (found.length === 0) return []
    const groups = [...Map.groupBy(found, inBrief)]
    const shown = groups.slice(0, mostCards).map(([words, group]) => brief(words, group, page))
    return [
      title(verdict === 'warn' ? 'Warnings' : 'Inconclusive', found, page),
      shown.join('\n'),
      more(groups.length, page),
    ]
  })
}

function inBrief({ expected, got, detail }: Finding): string {
  return expected === undefined ? (detail ?? '') : `expected ${expected}, got ${got ?? '?'}`
}

/** What is said of many scenarios alike is said once, with their names. */
function brief(words: string, found: readonly Finding[], { paint, width }: Page): string {
  const { sign, tone } = verdictWords[found[0]?.verdict ?? 'inconclusive']
  const subjects = [...new Set(found.map(({ subject }) => visibleLine(subject)))]
  const scenarios = [...new Set(found.map(({ scenario }) => visibleLine(scenario)))]
  return [
    paint(tone, hang(`${sign} `, listed(subjects), width)),
    hang('    ', visibleLine(shorten(words, mostText)), width),
    hang('    in ', listed(scenarios), width),
  ].join('\n')
}

/** Groups by reason, with what to provide. */
export function notExercisedLines(page: Page): string[] {
  const groups = groupsOf(page.rows)
  if (groups.length === 0) return []
  const shown = groups.map(({ says, provide, findings, details }) => {
    const subjects = [...new Set(findings.map(({ subject }) => visibleLine(subject)))]
    const lines = [
      page.paint('doubt', `– ${findings.length} × ${says}`),
      hang('    ', provide, page.width),
      ...details
        .slice(0, 8)
        .map((detail) => hang('    - ', visibleLine(shorten(detail, mostText)), page.width)),
      hang('    ', listed(subjects), page.width),
    ]
    return lines.join('\n')
  })
  return [
    title(
      'Not exercised',
      groups.flatMap(({ findings }) => findings),
      page,
    ),
    ...shown,
  ]
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(' ')
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown
}

/** Facts about the target that the contract leaves open. */
export function observations(page: Page): string[] {
  const found = page.rows.filter(({ verdict }) => verdict === 'observed')
  if (found.length === 0) return []
  const lines = found.map(({ subject, detail, got }) =>
    wrap(
      `○ ${visibleLine(subject)}: ${visibleLine(shorten(detail ?? got ?? '', mostText))}`,
      page.width - 4,
    ).join('\n    '),
  )
  return [title('Seen where the contract is silent', found, page), lines.join('\n')]
}

function title(words: string, found: readonly Finding[], { paint }: Page): string {
  return paint('strong', `${words} (${found.length})`)
}

function more(found: number, { paint }: Page): string {
  return found > mostCards ? paint('quiet', `and ${found - mostCards} more: see report.html`) : ''
}
