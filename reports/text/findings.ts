/** The parts of the summary that name findings. Everything a target said is made visible and cut. */
import type { Finding, Run } from '../bundle/record.ts'
import { clientSteps } from '../findings/client-steps.ts'
import { alike } from '../findings/alike.ts'
import { causesOf, type Cause } from '../findings/causes.ts'
import { fromDifference } from '../findings/difference.ts'
import { checkAgain, replayAgain } from '../findings/check-again.ts'
import type { Alike } from '../findings/alike.ts'
import { quote } from '../bundle/curl.ts'
import { simulateAgain, simulatorUrl } from '../bundle/simulate-again.ts'
import { groupsOf } from '../verdicts/not-exercised.ts'
import { levelNote, standingOf } from '../verdicts/standing.ts'
import { subjectOf } from '../run/subject.ts'
import { verdictWords } from '../verdicts/verdicts.ts'
import { shorten, visibleLine } from '../visible.ts'
import { hang } from './columns.ts'
import type { Paint } from './paint.ts'
import { timelineLines } from './timeline-lines.ts'

export interface Page {
  run: Run
  rows: readonly Finding[]
  paint: Paint
  width: number
  /** Path of the folder that replays a failed check, if it was written. */
  replays: (check: string) => string | null
  /** What shows everything: the HTML report, or the command that makes one. */
  fullReport: string
  /** Lists every observation, with its question. */
  verbose: boolean
}

/** A terminal has no room for hundreds of cards; the page has them all. */
const mostCards = 20
const mostText = 400
/** Failures that probably follow from another: a line each, and no more than this. */
const mostFollowing = 6

export function failureLines(page: Page): string[] {
  const found = page.rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
  if (found.length === 0) return []
  const causes = causesOf(found, page.rows)
  const shown = causes.slice(0, mostCards).map((cause) => causeCard(cause, page))
  const words = causes.length < found.length ? `, probably of ${counted(causes.length, 'cause')}` : ''
  return [
    [title('Failures', found, page, words), ...startLines(page)].join('\n'),
    ...shown,
    more(causes.length, page),
  ]
}

/** Commands to paste, so never wrapped. */
function startLines({ run: { record } }: Page): readonly string[] {
  const start = simulateAgain(record.target)
  if (start === null) return []
  return [
    `  start     ${visibleLine(start)}`,
    `            then export BASE_URL=${simulatorUrl} API_KEY=… AGENT_ID=… (as it prints them)`,
  ]
}

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

function causeCard({ direct, title: fault, follows }: Cause, page: Page): string {
  if (follows.length === 0) return card(direct, page)
  const { width, paint, fullReport } = page
  const rest = follows.length - mostFollowing
  const lines = [
    card(direct, page),
    field(
      'cause',
      fault === null ? undefined : `probably: ${fault} A simulator with this fault fails the same checks.`,
      width,
    ),
    paint('strong', `  ${follows.length} more may follow from it`),
    ...follows.slice(0, mostFollowing).map((one) => following(one, page)),
    ...(rest > 0 ? [paint('quiet', `    and ${rest} more: see ${fullReport}`)] : []),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function following({ finding, also }: Alike, { paint, width }: Page): string {
  const { sign, tone } = verdictWords[finding.verdict]
  const names = [finding.subject, ...also].map(visibleLine).join(' ')
  const words = `${visibleLine(finding.scenario)}: got ${visibleLine(shorten(finding.got ?? finding.detail ?? '?', 120))}`
  return `${paint(tone, `    ${sign} ${names}`)}\n${hang('      ', words, width)}`
}

function card({ finding, also }: Alike, page: Page): string {
  const { run, paint, width } = page
  const { sign, tone } = verdictWords[finding.verdict]
  const { text, words } = subjectOf(finding.subject, run.record)
  const standing = standingOf(finding)
  const suffix = standing === undefined ? '' : `, ${standing}`
  const lines = [
    `${paint(tone, `${sign} ${visibleLine(finding.subject)}`)}  ${finding.level.toUpperCase()}${levelNote(finding)}${visibleLine(suffix)}`,
    hang('  ', visibleLine(text), width),
    field('contract', words, width),
    field('also', also.length > 0 ? listed(also) : undefined, width),
    field('scenario', finding.title, width),
    field('state', statesOf(finding), width),
    ...difference(finding, width),
    field('detail', finding.detail, width),
    ...clientSteps(finding, run).map((line) => field('client', line, width)),
    ...timelineLines(finding, page),
    ...reproduce(finding, page),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function field(name: string, value: string | undefined, width: number): string {
  if (value === undefined || value === '') return ''
  return hang(`  ${name.padEnd(8)}  `, visibleLine(shorten(value, mostText)), width)
}

/** What the target had to be in first, which a request alone does not show. */
const statesOf = ({ states }: Finding): string =>
  states.map(({ state, by }) => `${state}, set up by ${by}`).join('; ')

/** Long texts from the place where they differ. */
function difference({ expected, got }: Finding, width: number): readonly string[] {
  const [one, other] = fromDifference(expected, got)
  return [field('expected', one, width), field('got', other, width)]
}

/** Commands to paste, so never wrapped. */
function reproduce({ check, ...finding }: Finding, { run: { record }, replays }: Page): readonly string[] {
  if (record.target.kind === 'client') return [`  replay    ${visibleLine(checkAgain(check, record))}`]
  const folder = finding.verdict === 'fail' ? replays(check) : null
  if (folder === null) return []
  return [
    `  script    bash ${visibleLine(quote(Buffer.from(`${folder}/repro.sh`)))}`,
    `  replay    ${visibleLine(replayAgain(`${folder}/replay.json`, record.target))}`,
  ]
}

/** Warnings in full, and what was inconclusive in brief. */
export function others(page: Page): string[] {
  const found = (verdict: Finding['verdict']): readonly Finding[] =>
    page.rows.filter((finding) => finding.verdict === verdict)
  const warnings = alike(found('warn'))
  const inconclusive = found('inconclusive')
  const groups = [...Map.groupBy(inconclusive, ({ detail }) => detail ?? '')]
  return [
    ...(warnings.length === 0
      ? []
      : [
          title('Warnings', found('warn'), page),
          ...warnings.slice(0, mostCards).map((group) => card(group, page)),
          more(warnings.length, page),
        ]),
    ...(groups.length === 0
      ? []
      : [
          title('Inconclusive', inconclusive, page),
          groups
            .slice(0, mostCards)
            .map(([words, group]) => brief(words, group, page))
            .join('\n'),
          more(groups.length, page),
        ]),
  ]
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
      ...detailLines(details.slice(0, 8), page.width),
      hang('    ', listed(subjects), page.width),
    ]
    return lines.join('\n')
  })
  return [
    title(
      'Not tested',
      groups.flatMap(({ findings }) => findings),
      page,
    ),
    ...shown,
  ]
}

/** The lines to paste of the first detail that has them; those of the others are alike, and in report.html. */
function detailLines(details: readonly string[], width: number): readonly string[] {
  const pasted = details.find((detail) => detail.includes('\n'))
  return details.map((detail) => {
    const lines = shorten(detail, mostText).split('\n').map(visibleLine)
    const shown = detail === pasted || lines.length === 1 ? lines : [lines[0]?.replace(/:$/, '') ?? '']
    return hang('    - ', shown.join('\n'), width)
  })
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(' ')
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown
}

/** What the contract does not specify: a line in all, or with `verbose` each with its question. */
export function observations({ verbose, ...page }: Page): string[] {
  const found = page.rows.filter(({ verdict }) => verdict === 'observed')
  if (found.length === 0) return []
  const words = `${counted(found.length, 'observation')} where the contract is silent`
  if (!verbose) return [page.paint('quiet', `○ ${words}: see ${page.fullReport}, or use --verbose`)]
  const lines = [...Map.groupBy(found, ({ subject }) => subject)].flatMap(([subject, alike]) => {
    const seen = new Set(alike.map(({ detail, got }) => visibleLine(shorten(detail ?? got ?? '', mostText))))
    return [
      hang('○ ', `${visibleLine(subject)}: ${visibleLine(subjectOf(subject).text)}`, page.width),
      ...[...seen].map((value) => hang('    ', value, page.width)),
    ]
  })
  return [page.paint('strong', words), lines.join('\n')]
}

function title(
  words: string,
  found: readonly Finding[],
  { paint }: Pick<Page, 'paint'>,
  suffix = '',
): string {
  const waived = found.filter((one) => one.waived !== undefined).length
  return paint('strong', `${words} (${found.length}${waived > 0 ? `, ${waived} waived` : ''})${suffix}`)
}

function more(found: number, { paint, fullReport }: Page): string {
  return found > mostCards ? paint('quiet', `and ${found - mostCards} more: see ${fullReport}`) : ''
}
