/** What changed, for a terminal: the answer first, then whether to believe it, then each kind with what to look at. */
import { clockTime } from '../duration.ts'
import { hang } from '../text/columns.ts'
import { painter } from '../text/paint.ts'
import type { Paint } from '../text/paint.ts'
import type { Tone } from '../verdicts/verdicts.ts'
import { shorten, visibleLine } from '../visible.ts'
import type { Change, Comparison } from './compare.ts'
import { kindWords } from './kinds.ts'
import type { ChangeKind } from './kinds.ts'
import {
  changedAnswerOf,
  byKind,
  cautions,
  countsOf,
  fieldsOf,
  comparisonNotes,
  sideWords,
  stepOf,
} from './words.ts'

export interface DiffTextOptions {
  colour: boolean
  /** Columns of the terminal. */
  width: number
}

interface Page {
  paint: Paint
  width: number
}

/** Changes per kind that are shown in full, and those that get one line. */
const mostCards = 8
const mostLines = 20
const mostText = 400
/** Shown in full; the other kinds get one line per change. */
const shownInFull: readonly ChangeKind[] = [
  'regressed',
  'failing differently',
  'new and failing',
  'coverage lost',
  'observed behaviour changed',
]

export function renderDiffText(comparison: Comparison, { colour, width }: DiffTextOptions): string {
  const page = { paint: painter(colour), width: Math.min(Math.max(width, 40), 120) }
  const parts = [
    head(comparison, page),
    comparability(comparison, page),
    ...byKind(comparison).map(([kind, found]) => section(kind, found, page)),
  ]
  return `${parts.join('\n\n')}\n`
}

/** For the summary of a run: the answer, then how much changed and whether to believe it. */
export function sinceLines(comparison: Comparison, { paint, width }: Page): string {
  const { sign, words, tone } = changedAnswerOf(comparison)
  const differ = comparison.comparable.filter(({ same }) => !same).map(({ what }) => what)
  const alike = differ.length === 0 ? '' : `; not the same in both: ${differ.join(', ')}`
  const isWhole = comparison.before.ends === null && comparison.after.ends === null
  const caution = isWhole ? alike : `${alike}; one of the two is not whole`
  const since = `since the run of ${clockTime(comparison.before.startedAt)}`
  return [
    labelled(`${sign} ${words}`, tone, visibleLine(since), { paint, width }),
    hang('  ', `${countsOf(comparison)}${caution}: see changes.json`, width),
  ].join('\n')
}

/** Coloured only once it is laid out: what sets a colour has no width. */
function labelled(label: string, tone: Tone, text: string, { paint, width }: Page): string {
  const plain = `${visibleLine(label)}  `
  return `${paint(tone, plain.trimEnd())}  ${hang(plain, text, width).slice(plain.length)}`
}

function head(comparison: Comparison, page: Page): string {
  const { paint, width } = page
  const { sign, words, tone } = changedAnswerOf(comparison)
  const lines = [
    labelled(`${sign} ${words}`, tone, countsOf(comparison), page),
    ...cautions(comparison).map((caution) => paint('doubt', hang('! ', visibleLine(caution), width))),
    '',
    hang('earlier  ', visibleLine(sideWords(comparison.before)), width),
    hang('later    ', visibleLine(sideWords(comparison.after)), width),
  ]
  return lines.join('\n')
}

function comparability({ comparable }: Comparison, { paint, width }: Page): string {
  const same = comparable.filter((one) => one.same).map(({ what }) => what)
  const differ = comparable.flatMap(({ what, before, after, means }) =>
    means === undefined
      ? []
      : [
          paint('doubt', hang('≠ ', visibleLine(`${what}: ${before} → ${after}`), width)),
          hang('    ', means, width),
        ],
  )
  const title =
    differ.length === 0
      ? 'Both runs used the same contract, profile and target settings'
      : 'Not the same in both'
  const rest = same.length === 0 ? [] : [hang('= ', `the same: ${same.join(', ')}`, width)]
  return [paint('strong', title), ...differ, ...rest].join('\n')
}

function section(kind: ChangeKind, found: readonly Change[], page: Page): string {
  const { word, means } = kindWords[kind]
  const title = `${page.paint('strong', `${capital(word)} (${found.length})`)}\n${hang('  ', means, page.width)}`
  const isShownInFull = shownInFull.includes(kind)
  const most = isShownInFull ? mostCards : mostLines
  const shown = found
    .slice(0, most)
    .map((change) => (isShownInFull ? card(change, page) : line(change, page)))
  const rest = found.length - most
  const more = rest > 0 ? [page.paint('quiet', `and ${rest} more: see --format markdown, html or json`)] : []
  return [title, ...shown, ...more].join('\n')
}

function card(change: Change, page: Page): string {
  const { width } = page
  return [
    step(change, page),
    hang('    ', visibleLine(change.about), width),
    ...fieldsOf(change).map(([name, value]) =>
      hang(`    ${name.padEnd(8)}  `, visibleLine(shorten(value, mostText)), width),
    ),
  ].join('\n')
}

function line(change: Change, page: Page): string {
  const notes = comparisonNotes(change).join('; ')
  return notes === '' ? step(change, page) : `${step(change, page)}\n${hang('    ', notes, page.width)}`
}

function step(change: Change, { paint }: Page): string {
  const { sign, tone } = kindWords[change.kind]
  return [paint(tone, `${sign} ${visibleLine(change.check)}`), change.level, stepOf(change)].join('  ')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
