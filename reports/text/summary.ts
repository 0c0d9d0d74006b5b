/** The summary for a terminal: the two answers first, then the counts, then what to look at. */
import { clauseSetWords } from '../bundle/clause-set.ts'
import type { Finding, Run, Verdict } from '../bundle/record.ts'
import { counterexampleFolder } from '../bundle/curl.ts'
import { apartMeans, apartTitle, parted } from '../verdicts/apart.ts'
import { clockTime, duration } from '../duration.ts'
import { sinceLines } from '../diff/text.ts'
import { earlyEnd } from '../run/early-end.ts'
import type { Beside } from '../formats/exporter.ts'
import { originLine, sourceLine } from '../run/origin-words.ts'
import { planKept } from '../run/plan-kept.ts'
import { leftOutWords, rowsOf } from '../verdicts/rows.ts'
import { answerOf, gateOf, scopeTexts } from '../run/scope.ts'
import { byArea, countsLine, outcomes, tally } from '../verdicts/tally.ts'
import { entriesToAccept, howToAccept, moreToAccept } from '../verdicts/to-accept.ts'
import { verdictOrder, verdictWords, type VerdictWords } from '../verdicts/verdicts.ts'
import { addressOf, kindOf } from '../run/target-words.ts'
import { underTest } from '../verdicts/under-test.ts'
import { shorten, visibleLine } from '../visible.ts'
import { hang, table } from './columns.ts'
import { failureLines, notExercisedLines, observations, others } from './findings.ts'
import type { Page } from './findings.ts'
import { otherSetLines } from './other-sets.ts'
import { painter } from './paint.ts'

export interface TextOptions {
  colour: boolean
  /** Columns of the terminal. */
  width: number
  /** Where the files of the run are, if they were written. */
  folder?: string
  /** What else is in that folder. */
  beside?: Beside
  /** Whether the HTML report is, too. Default true. */
  hasPage?: boolean
  /** Lists every observation, with its question. */
  verbose?: boolean
}

/** The whole summary. Its last line has the verdict, the exit code and where the HTML report is, if there is one. */
export function renderText(
  run: Run,
  { colour, width, folder, beside, hasPage = true, verbose = false }: TextOptions,
): string {
  const paint = painter(colour)
  const page = {
    run,
    paint,
    width: Math.min(Math.max(width, 40), 120),
    rows: rowsOf(run),
    replays: replaysIn(folder, beside),
    fullReport: hasPage ? 'report.html' : `touchstone report ${visibleLine(folder ?? '')} --format html`,
    verbose,
  }
  const { together, apart } = parted(page.rows)
  const parts = [
    head(page, beside),
    otherSetLines(run.record, page),
    beside?.changes ? sinceLines(beside.changes, page) : '',
    ...body({ ...page, rows: together }),
    ...(apart.length > 0 ? [apartHead(page), ...body({ ...page, rows: apart })] : []),
    [countsLine(page.rows), verdictLine(page, hasPage ? folder : undefined)].join('\n'),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** The folder with the replay file and the script of a check; null where none was written. */
function replaysIn(folder = '', beside?: Beside): Page['replays'] {
  return (check) => {
    const path = counterexampleFolder(check)
    if (beside?.files.has(`${path}/replay.json`) !== true) return null
    return folder === '' ? path : `${folder}/${path}`
  }
}

/** Such as `✗ nonconformant · gate failed (exit 1): 2 failures · report: touchstone-report/report.html`. */
function verdictLine({ run: { record }, paint, rows }: Page, folder: string | undefined): string {
  const { sign, word, tone } = answerOf(record)
  const { failed } = outcomes(rows)
  const failures = failed === 0 ? '' : `: ${failed} ${failed === 1 ? 'failure' : 'failures'}`
  const gate = `${gateOf(record)} ${record.gate.passed ? 'passed' : 'failed'} (exit ${record.exitCode})${failures}`
  const report = folder === undefined ? [] : [`report: ${visibleLine(folder)}/report.html`]
  return paint(record.gate.passed ? tone : 'bad', [`${sign} ${word}`, gate, ...report].join(' · '))
}

function body(page: Page): readonly string[] {
  return [
    counts(page.rows, page),
    ...failureLines(page),
    ...others(page),
    ...notExercisedLines(page),
    ...observations(page),
  ]
}

function apartHead({ paint, width }: Page): string {
  return `${paint('strong', apartTitle)}\n${hang('', apartMeans, width)}`
}

const planSigns = { good: '✓', bad: '✗', doubt: '–' } as const

function head({ run, paint, width }: Page, beside?: Beside): string {
  const early = earlyEnd(run, beside)
  const { record } = run
  const { word, sign, tone, means } = answerOf(record)
  const isLong = record.plan.shard !== undefined
  const gate = gateOf(record)
  const plan = planKept(run)
  const { passed, because, stalePolicy } = record.gate
  const { requests, turns, credits, wallSeconds } = record.used
  // A client spends nothing of ours.
  const spent = record.target.kind === 'client' ? '' : ` ${turns} turns, ${credits} credits,`
  const { contract } = record
  const lines = [
    paint(tone, `${sign} ${word}`) + (isLong ? `\n  ${means}` : `  ${means}`),
    `${paint(passed ? 'good' : 'bad', `${passed ? '✓' : '✗'} ${gate} ${passed ? 'passed' : 'failed'}`)}  exit code ${record.exitCode}`,
    ...[...new Set([...because, ...stalePolicy])].map((reason) => hang('  ', visibleLine(reason), width)),
    ...acceptLines(run, width),
    ...scopeTexts(record).map((line) => paint('doubt', hang('  ', visibleLine(line), width))),
    paint(plan.tone, hang(`${planSigns[plan.tone]} `, `${plan.count} ${plan.of}`, width)),
    ...(leftOutWords(run) === '' ? [] : [hang('  ', leftOutWords(run), width)]),
    ...(early === null ? [] : [paint('doubt', hang('! ', visibleLine(early), width))]),
    '',
    targetLine(record.target),
    `${clockTime(record.run.startedAt)}, ${record.run.profile} profile, seed ${record.run.seed}`,
    `clauses of ${visibleLine(clauseSetWords(contract))}, digest ${visibleLine(contract.digest.slice(0, 16))}`,
    `${requests} requests,${spent} ${duration(wallSeconds)}`,
    ...originLines(record, width),
  ]
  return lines.join('\n')
}

const mostEntries = 8

/** What a policy needs so that the gate accepts what has no result. Lines to copy are not wrapped. */
function acceptLines(run: Run, width: number): readonly string[] {
  const entries = entriesToAccept(run)
  if (entries.length === 0) return []
  const rest = entries.length - mostEntries
  return [
    hang('  ', howToAccept, width),
    ...entries.slice(0, mostEntries).map((entry) => `    ${entry}`),
    ...(rest > 0 ? [hang('    ', moreToAccept(rest), width)] : []),
  ]
}

function originLines(record: Run['record'], width: number): readonly string[] {
  const line = [originLine(record), sourceLine(record)].filter(Boolean).join(', ')
  return line === '' ? [] : [visibleLine(shorten(line, width))]
}

function targetLine(target: Run['record']['target']): string {
  const { name, kind } = target
  const what = name === kind ? kind : `${visibleLine(name)} (${visibleLine(kindOf(target))})`
  const product = visibleLine(underTest(target))
  const address = addressOf(target)
  const where = address === null ? '' : ` at ${visibleLine(address)}`
  return `${what}${where}${product === '' ? '' : `: ${product}`}`
}

function counts(rows: readonly Finding[], { paint, width }: Page): string {
  const total = tally(rows)
  const shown = verdictOrder.filter((verdict) => total[verdict] > 0)
  const cells = (name: string, findings: readonly Finding[]): string[] => {
    const own = tally(findings)
    return [name, ...shown.map((verdict) => String(own[verdict] || '·')), String(findings.length)]
  }
  const areas = [...byArea(rows)].map(([area, findings]) => cells(area, findings))
  const lines = (word: (of: VerdictWords) => string): readonly string[] => {
    const names = ['', ...shown.map((verdict: Verdict) => word(verdictWords[verdict])), 'all']
    return table([names, ...areas, cells('all areas', rows)])
  }
  const long = lines(({ word }) => word)
  const [header = '', ...rest] =
    (long[0] ?? '').length <= width ? long : lines(({ short, word }) => short ?? word)
  return [paint('strong', header), ...rest].join('\n')
}
