/** The summary for a terminal: the two answers first, then the counts, then what to look at. */
import type { Finding, Run, Verdict } from '../bundle/record.ts'
import { counterexampleFolder } from '../bundle/curl.ts'
import { apartMeans, apartTitle, parted } from '../verdicts/apart.ts'
import { clockTime, duration } from '../duration.ts'
import { sinceLines } from '../diff/text.ts'
import { earlyEnd } from '../run/early-end.ts'
import type { Beside } from '../formats/exporter.ts'
import { planKept } from '../run/plan-kept.ts'
import { leftOutWords, rowsOf } from '../verdicts/rows.ts'
import { answerOf, scopeTexts } from '../run/scope.ts'
import { byArea, closingLine, tally } from '../verdicts/tally.ts'
import { verdictOrder, verdictWords } from '../verdicts/verdicts.ts'
import { addressOf, kindOf } from '../run/target-words.ts'
import { underTest } from '../verdicts/under-test.ts'
import { visibleLine } from '../visible.ts'
import { hang, table } from './columns.ts'
import { failureLines, notExercisedLines, observations, others } from './findings.ts'
import type { Page } from './findings.ts'
import { painter } from './paint.ts'
import type { Paint } from './paint.ts'

export interface TextOptions {
  colour: boolean
  /** Columns of the terminal. */
  width: number
  /** Where the files of the run are, if they were written. */
  folder?: string
  /** What else stands in that folder. */
  beside?: Beside
}

/** The whole summary. Its last line is `N passed, N failed, N skipped` and nothing else. */
export function renderText(run: Run, { colour, width, folder, beside }: TextOptions): string {
  const paint = painter(colour)
  const page = {
    run,
    paint,
    width: Math.min(Math.max(width, 40), 120),
    rows: rowsOf(run),
    scenarios: scenariosIn(folder, beside),
  }
  const { together, apart } = parted(page.rows)
  const parts = [
    head(page, beside),
    beside?.changes ? sinceLines(beside.changes, page) : '',
    ...body({ ...page, rows: together }),
    ...(apart.length > 0 ? [apartHead(page), ...body({ ...page, rows: apart })] : []),
    folder === undefined ? '' : `Reports: ${visibleLine(folder)}`,
    closingLine(page.rows),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Where the scenario of a check was written; null where none was. */
function scenariosIn(folder = '', beside?: Beside): Page['scenarios'] {
  return (check) => {
    const file = `${counterexampleFolder(check)}/scenario.json`
    if (beside?.files.has(file) !== true) return null
    return folder === '' ? file : `${folder}/${file}`
  }
}

function body(page: Page): readonly string[] {
  return [
    counts(page.rows, page.paint),
    ...failureLines(page),
    ...others(page),
    ...notExercisedLines(page),
    ...observations(page),
  ]
}

function apartHead({ paint, width }: Page): string {
  return `${paint('strong', apartTitle)}\n${hang('', apartMeans, width)}`
}

const planWords = {
  good: '✓ plan complete',
  bad: '✗ plan incomplete',
  doubt: '– plan cut off',
} as const

function head({ run, paint, width }: Page, beside?: Beside): string {
  const early = earlyEnd(run, beside)
  const { record } = run
  const { word, sign, tone, means } = answerOf(record)
  const plan = planKept(run)
  const { passed, because, stalePolicy } = record.gate
  const { requests, turns, credits, wallSeconds } = record.used
  // A client spends nothing of ours.
  const spent = record.target.kind === 'client' ? '' : ` ${turns} turns, ${credits} credits,`
  const { revision, digest } = record.contract
  const lines = [
    `${paint(tone, `${sign} ${word}`)}  ${means}`,
    `${paint(passed ? 'good' : 'bad', passed ? '✓ gate passed' : '✗ gate failed')}  exit code ${record.exitCode}`,
    ...[...new Set([...because, ...stalePolicy])].map((reason) => hang('  ', visibleLine(reason), width)),
    ...scopeTexts(record).map((line) => paint('doubt', hang('  ', visibleLine(line), width))),
    `${paint(plan.tone, planWords[plan.tone])}  ${plan.count} ${plan.of}`,
    ...(leftOutWords(run) === '' ? [] : [hang('  ', leftOutWords(run), width)]),
    ...(early === null ? [] : [paint('doubt', hang('! ', visibleLine(early), width))]),
    '',
    targetLine(record.target),
    `${clockTime(record.run.startedAt)}, ${record.run.profile} profile, seed ${record.run.seed}`,
    `clauses of ${visibleLine(revision)}, digest ${visibleLine(digest.slice(0, 16))}`,
    `${requests} requests,${spent} ${duration(wallSeconds)}`,
  ]
  return lines.join('\n')
}

function targetLine(target: Run['record']['target']): string {
  const { name, kind } = target
  const what = name === kind ? kind : `${visibleLine(name)} (${visibleLine(kindOf(target))})`
  const product = visibleLine(underTest(target))
  const address = addressOf(target)
  const where = address === null ? '' : ` at ${visibleLine(address)}`
  return `${what}${where}${product === '' ? '' : `: ${product}`}`
}

function counts(rows: readonly Finding[], paint: Paint): string {
  const total = tally(rows)
  const shown = verdictOrder.filter((verdict) => total[verdict] > 0)
  const cells = (name: string, findings: readonly Finding[]): string[] => {
    const own = tally(findings)
    return [name, ...shown.map((verdict) => String(own[verdict] || '·')), String(findings.length)]
  }
  const areas = [...byArea(rows)].map(([area, findings]) => cells(area, findings))
  const names = ['', ...shown.map((verdict: Verdict) => verdictWords[verdict].word), 'all']
  const [header = '', ...lines] = table([names, ...areas, cells('all areas', rows)])
  return [paint('strong', header), ...lines].join('\n')
}
