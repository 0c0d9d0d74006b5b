/** The report of a run for a terminal and for the page of a CI job: both answers, what failed, what was not tested. */
import { quoteText } from '../../bundle/curl.ts'
import type { Finding, Run, Verdict } from '../../bundle/record.ts'
import { changesBlocks } from '../diff/document.ts'
import {
  badge,
  counted,
  type Block,
  type Card,
  type Row,
  type Section,
  type Words,
} from '../document/blocks.ts'
import { markdownOf } from '../document/markdown.ts'
import { sectionsAsText } from '../document/text.ts'
import { cardsOf, causeCards, listed, startBlocks } from '../findings/card.ts'
import type { Beside, Exporter } from '../formats/exporter.ts'
import { clauseRows, coverageOf, coverageWords, rowsOf } from '../verdicts/clauses.ts'
import {
  isFailure,
  apartMeans,
  apartTitle,
  byArea,
  countsLine,
  outcomes,
  parted,
  standingOf,
  tally,
  verdictOrder,
  verdictWordsOf,
} from '../verdicts/verdicts.ts'
import { notTestedCards } from './not-tested.ts'
import {
  aboutRun,
  answerBlocks,
  bannersOf,
  coverageBlocks,
  toAccept,
  waivedOf,
  waiverBlocks,
} from './parts.ts'
import { answerOf, caveats, gateOf, ranOf, reasonsOf } from './scope.ts'
import { subjectOf, textsOf } from './words.ts'

export interface SummaryOptions {
  colour: boolean
  width: number
  /** Where the files of the run are, if they were written. */
  folder?: string
  beside?: Beside
  /** Whether the HTML report is, too. Default true. */
  hasPage?: boolean
  /** Lists every observation, with its question. */
  verbose?: boolean
}

/** The whole summary. Its last line has the verdict, the exit code and where the HTML report is, if there is one. */
export function renderText(
  run: Run,
  { colour, width, folder, beside, hasPage = true, verbose = false }: SummaryOptions,
): string {
  const full = hasPage ? 'report.html' : `touchstone report ${quoteText(folder ?? '')} --format html`
  const rows = rowsOf(run)
  const { together, apart } = parted(rows)
  const { notTested } = textsOf(run.record.target)
  const body = (own: readonly Finding[]): readonly Section[] => [
    section('counts', '', counts(own)),
    failures(own, run),
    ofKind('Warnings', own, 'warn', (found) => cardsOf(found, run)),
    ofKind('Inconclusive', own, 'inconclusive', inconclusive),
    ofKind(notTested, own, 'not-exercised', () => notTestedCards(own, run, true)),
    section('observed', '', observed(own, verbose, full)),
    section('not-applicable', '', notApplicable(own)),
  ]
  const sections = [
    section('changes', '', beside?.changes ? changesBlocks(beside.changes, true) : []),
    ...body(together),
    ...(apart.length > 0 ? [section('apart', apartTitle, [{ words: apartMeans }]), ...body(apart)] : []),
    section('last', '', [
      { words: countsLine(rows), kind: 'line' },
      { words: verdictLine(run.record, rows, hasPage ? folder : undefined), kind: 'line' },
    ]),
  ]
  return sectionsAsText({ head: head(run, beside), sections }, { colour, width, full })
}

export const markdown: Exporter = { name: 'markdown', file: 'summary.md', render: renderMarkdown }

function renderMarkdown(run: Run, beside?: Beside): string {
  const { record } = run
  const rows = rowsOf(run)
  const clauses = clauseRows(run)
  const { sign, word } = answerOf(record)
  const { failures, notTested } = textsOf(record.target)
  const waived = waivedOf(record.findings)
  const broken = rows.filter(isFailure)
  const cards = (found: readonly Finding[]): readonly Card[] => cardsOf(found, run)
  const report = {
    heading: [`${sign} ${word}: `, record.target.name],
    head: [...head(run, beside), { words: `${coverageWords(coverageOf(clauses), record.target)}.` }],
    sections: [
      section('waivers', `Waivers (${waived.length})`, waived.length > 0 ? waiverBlocks(record, 20) : []),
      section(
        'changes',
        'Changes since the last run',
        beside?.changes ? changesBlocks(beside.changes, true) : [],
      ),
      section(
        'failures',
        `${failures} (${broken.length})`,
        broken.length > 0 ? [{ cards: cards(broken) }] : [],
      ),
      ofKind('Warnings', rows, 'warn', cards),
      section('by-area', 'MUST clauses by area', coverageBlocks(clauses, run)),
      ofKind(notTested, rows, 'not-exercised', () => notTestedCards(rows, run, true)),
      section('limits', 'What this does not show', [{ items: caveats(record) }]),
    ],
    foot: countsLine(rows),
  }
  return markdownOf(report, 'report.html')
}

const section = (id: string, title: Words, blocks: readonly Block[]): Section => ({ id, title, blocks })

function ofKind(
  name: string,
  rows: readonly Finding[],
  wanted: Verdict,
  cards: (found: readonly Finding[]) => readonly Card[],
): Section {
  const found = rows.filter(({ verdict }) => verdict === wanted)
  return section(wanted, title(name, found), found.length === 0 ? [] : [{ cards: cards(found) }])
}

function head(run: Run, beside?: Beside): readonly Block[] {
  const { sign, tone, count, of } = ranOf(run)
  return [
    { answers: answerBlocks(run, clauseRows(run)) },
    ...toAccept(run),
    ...bannersOf(run, beside?.ends),
    { words: { sign, says: `${count}, ${of}`, tone } },
    aboutRun(run.record),
  ]
}

/** Such as `✗ nonconformant · gate failed (exit 1): 2 failures · report: touchstone-report/report.html`. */
function verdictLine(record: Run['record'], rows: readonly Finding[], folder: string | undefined): Words {
  const { sign, word, tone } = answerOf(record)
  const { failed } = outcomes(rows)
  const gate = `${gateOf(record)} ${record.gate.passed ? 'passed' : 'failed'} (exit ${record.exitCode})`
  const parts = [
    word,
    failed === 0 ? gate : `${gate}: ${counted(failed, textsOf(record.target).failure)}`,
    ...(folder === undefined ? [] : [`report: ${folder}/report.html`]),
  ]
  return { sign, says: parts.join(' · '), tone: record.gate.passed ? tone : 'bad' }
}

function counts(rows: readonly Finding[]): readonly Block[] {
  const total = tally(rows)
  const words = verdictWordsOf(rows)
  const shown = verdictOrder.filter((verdict) => total[verdict] > 0)
  const row = (name: string, findings: readonly Finding[]): Row => {
    const own = tally(findings)
    return { cells: [name, ...shown.map((verdict) => own[verdict]), findings.length] }
  }
  const name = (verdict: Verdict): string => {
    const { short, word } = words[verdict]
    return short ?? word
  }
  const table = [...[...byArea(rows)].map(([area, findings]) => row(area, findings)), row('all areas', rows)]
  return [{ caption: 'Checks by area', columns: ['', ...shown.map(name), 'all'], table, numbers: true }]
}

function failures(rows: readonly Finding[], run: Run): Section {
  const found = rows.filter(isFailure)
  const cards = causeCards(found, rows, run)
  const words = cards.length < found.length ? `, probably of ${counted(cards.length, 'cause')}` : ''
  const blocks = found.length === 0 ? [] : [...startBlocks(run), { cards }]
  return section('failures', title(textsOf(run.record.target).failures, found) + words, blocks)
}

/** What is said of many scenarios alike is said once, with their names. */
const inconclusive = (found: readonly Finding[]): readonly Card[] =>
  [...Map.groupBy(found, (one) => [one.detail, standingOf(one)].filter((words) => words).join('; '))].map(
    ([words, own]) => ({
      badge: badge('inconclusive'),
      title: listed([...new Set(own.map(({ subject }) => subject))]),
      blocks: [{ words }, { words: `in ${listed([...new Set(own.map(({ scenario }) => scenario))])}` }],
    }),
  )

/** What the contract does not specify: a line in all, or with `verbose` each with its question. */
function observed(rows: readonly Finding[], verbose: boolean, full: string): readonly Block[] {
  const found = rows.filter(({ verdict }) => verdict === 'observed')
  if (found.length === 0) return []
  const words = `${counted(found.length, 'observation')} where the contract is silent`
  if (!verbose) return [{ words: `○ ${words}: see ${full}, or use --verbose`, kind: 'soft' }]
  const items = [...Map.groupBy(found, ({ subject }) => subject)].map(([subject, alike]): Words => {
    const seen = new Set(alike.map(({ detail, got }) => detail ?? got ?? ''))
    return { lines: [`○ ${subject}: ${subjectOf(subject).text}`, ...seen] }
  })
  return [{ words: { strong: words } }, { items, most: Infinity }]
}

function notApplicable(rows: readonly Finding[]): readonly Block[] {
  const found = rows.filter(({ verdict }) => verdict === 'not-applicable')
  if (found.length === 0) return []
  const why = reasonsOf(found, ({ detail = 'it is conditional' }) => `because ${detail}`)
  return [{ words: `– ${counted(found.length, 'check')} not applicable: ${why}`, kind: 'soft' }]
}

function title(words: string, found: readonly Finding[]): string {
  const waived = found.filter((one) => one.waived !== undefined).length
  return `${words} (${found.length}${waived > 0 ? `, ${waived} waived` : ''})`
}
