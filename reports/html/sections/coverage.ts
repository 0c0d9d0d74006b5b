/** How many MUST clauses passed, failed, were not tested or are untestable: of the whole, and of each area. */
import type { Run } from '../../bundle/record.ts'
import { targetNoun } from '../../run/target-words.ts'
import type { ClauseRow } from '../../verdicts/clause-verdicts.ts'
import {
  coverageByArea,
  coverageKinds,
  coverageOf,
  coverageWords,
  percentPassed,
  type Coverage,
  type CoverageKind,
} from '../../verdicts/coverage.ts'
import { uncheckedWords } from '../../verdicts/rows.ts'
import type { Tone } from '../../verdicts/verdicts.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { numberTable, type NumberRow } from '../elements/table.ts'
import { signed } from '../elements/words.ts'

const kindWords: Readonly<Record<CoverageKind, { sign: string; tone: Tone; at: string; means: string }>> = {
  passed: { sign: '✓', tone: 'good', at: 'by-area', means: 'every completed check passed' },
  failed: { sign: '✗', tone: 'bad', at: 'failures', means: 'at least one check failed' },
  'not tested': { sign: '–', tone: 'doubt', at: 'not-tested', means: 'no result in this run' },
  'not applicable': {
    sign: '·',
    tone: 'quiet',
    at: 'by-area',
    means: 'the condition of the clause never arose',
  },
  untestable: { sign: '·', tone: 'quiet', at: 'not-tested', means: 'cannot be tested from outside' },
}

/** Kinds that are always shown, and others where there are any. */
function shownKinds({ counts }: Coverage): readonly CoverageKind[] {
  return coverageKinds.filter((kind) => kind !== 'not applicable' || counts[kind] > 0)
}

/** For the first screen: a number with its word for each kind, then the same in a sentence. */
export function coverageTiles(rows: readonly ClauseRow[]): Markup {
  const coverage = coverageOf(rows)
  const tiles = shownKinds(coverage).map((kind) => {
    const { sign, tone, at, means } = kindWords[kind]
    const count = coverage.counts[kind]
    const share = kind === 'passed' ? ` (${percentPassed(coverage)} %)` : ''
    return html`<div>
      <dt>MUST clauses ${kind}</dt>
      <dd><a href="#${at}">${signed(sign, `${count}${share}`, count > 0 ? tone : 'quiet')}</a></dd>
      <dd class="soft">${means}</dd>
    </div>`
  })
  return html`<dl class="facts coverage">${tiles}</dl>
    <p class="said">${coverageWords(coverage)}.</p>`
}

const sumColumns = ['MUST clauses', 'share passed', 'in words'] as const

export function coverageTable(rows: readonly ClauseRow[], { record }: Run): readonly Markup[] {
  const coverage = coverageOf(rows)
  const kinds = shownKinds(coverage)
  const row = (head: string, own: Coverage): NumberRow => ({
    head,
    cells: [...kinds.map((kind) => own.counts[kind]), own.all, html`${percentPassed(own)} %`, inWords(own)],
  })
  const columns: readonly Hole[] = [
    'area',
    ...kinds.map((kind) => signed(kindWords[kind].sign, kind, kindWords[kind].tone)),
    ...sumColumns,
  ]
  const unchecked = uncheckedWords(record)
  return [
    html`<p>
      Every number is of the ${coverage.all} MUST clauses of clause set ${record.contract.revision} that apply
      to ${targetNoun(record.target)}. Each clause is counted once, by its worst check. SHOULD clauses are not
      counted.${unchecked.map((words) => ` Besides, ${words}.`)}
    </p>`,
    coverage.all === 0
      ? noMarkup
      : numberTable(
          'Passed, failed and not tested, by area',
          columns,
          coverageByArea(rows).map(([area, own]) => row(area, own)),
          row('all areas', coverage),
          [...kinds, ...sumColumns],
        ),
  ]
}

/** The result of an area in a few words, for those who do not read numbers. */
function inWords({ counts, all }: Coverage): Markup {
  if (counts.failed > 0) return signed('✗', `${counts.failed} failed`, 'bad')
  const open = counts['not tested']
  if (open > 0)
    return signed('–', open + counts.untestable === all ? 'not tested' : `${open} not tested`, 'doubt')
  if (counts.passed === 0)
    return signed('·', counts.untestable > 0 ? 'untestable' : 'not applicable', 'quiet')
  return signed('✓', counts.untestable > 0 ? 'all testable ones passed' : 'all passed', 'good')
}
