/** How the checks of each area ended: a bar an area, a piece a verdict, and the counts written beside it. */
import type { Run, Verdict } from '../bundle/record.ts'
import { parted } from '../verdicts/standing.ts'
import { html, noMarkup, type Markup } from '../document/markup.ts'
import { rowsOf } from '../verdicts/rows.ts'
import { byArea, tally, type Tally } from '../verdicts/tally.ts'
import { verdictOrder, verdictWords } from '../verdicts/verdicts.ts'
import { amount, bar, clipped, countedAmount, label, listed, picture, sample, share } from './picture.ts'

export interface AreaVerdicts {
  area: string
  total: number
  counts: Tally
}

/** In the order of the contract; what is judged apart is left out, as it is from the counts of the page. */
export function areaVerdicts(run: Run): readonly AreaVerdicts[] {
  const { together } = parted(rowsOf(run))
  return [...byArea(together)].map(([area, rows]) => ({ area, total: rows.length, counts: tally(rows) }))
}

/** What needs attention stands taller, what says less is drawn thinner. */
const shapes: Readonly<Record<Verdict, { height: number; kind: string }>> = {
  pass: { height: 8, kind: 'chart-solid' },
  fail: { height: 14, kind: 'chart-solid' },
  warn: { height: 12, kind: 'chart-solid' },
  error: { height: 14, kind: 'chart-hollow' },
  inconclusive: { height: 10, kind: 'chart-hollow' },
  'not-exercised': { height: 8, kind: 'chart-dashed' },
  'not-applicable': { height: 2, kind: 'chart-solid' },
  observed: { height: 4, kind: 'chart-hollow' },
}

const rowHeight = 32

export function verdictsByArea(run: Run, prefix = 'chart-verdicts'): Markup {
  const areas = areaVerdicts(run)
  if (areas.length === 0) return noMarkup
  const widest = Math.max(...areas.map(({ total }) => total))
  return picture({
    prefix,
    title: 'Checks by area and verdict',
    says: inWords(areas),
    height: areas.length * rowHeight,
    body: areas.map((area, index) => row(area, index * rowHeight, widest)),
    key: keyOf(totals(areas)),
  })
}

function row({ area, counts }: AreaVerdicts, top: number, widest: number): Markup {
  let drawn = 0
  const shown = verdictOrder.filter((verdict) => counts[verdict] > 0)
  const pieces = shown.map((verdict) => {
    const from = drawn
    drawn += counts[verdict]
    return piece(verdict, share(from, widest), top + 23, share(counts[verdict], widest))
  })
  const numbers = shown.map((verdict) => {
    const { sign, tone } = verdictWords[verdict]
    return html`<tspan class="${tone}">${` ${sign} ${amount(counts[verdict])} `}</tspan>`
  })
  return html`${label('0%', top + 11, clipped(area, 24))}${label('100%', top + 11, numbers, 'end')}${pieces}`
}

function piece(verdict: Verdict, x: string, middle: number, width: string): Markup {
  const { height, kind } = shapes[verdict]
  return bar(x, middle - height / 2, width, height, `${kind} ${verdictWords[verdict].tone}`)
}

function totals(areas: readonly AreaVerdicts[]): readonly (readonly [Verdict, number])[] {
  const sum = (verdict: Verdict) => areas.reduce((all, { counts }) => all + counts[verdict], 0)
  return verdictOrder.map((verdict) => [verdict, sum(verdict)] as const).filter(([, count]) => count > 0)
}

function inWords(areas: readonly AreaVerdicts[]): string {
  const all = areas.reduce((sum, { total }) => sum + total, 0)
  const counts = totals(areas).map(([verdict, count]) => `${amount(count)} ${verdictWords[verdict].word}`)
  const broken = areas
    .map(({ area, counts: { fail, error } }) => ({ area, count: fail + error }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
  const named = broken.slice(0, 4).map(({ area, count }) => `${clipped(area, 24)} (${count})`)
  const more = broken.length > 4 ? [`${broken.length - 4} more`] : []
  const where =
    broken.length > 0 ? `Failures or errors in ${listed([...named, ...more])}` : 'No area has a failure'
  return `${countedAmount(all, 'check')} in ${countedAmount(areas.length, 'area')}: ${listed(counts)}. ${where}.`
}

function keyOf(counts: readonly (readonly [Verdict, number])[]): readonly Markup[] {
  return counts.map(([verdict, count]) => {
    const { sign, word, tone } = verdictWords[verdict]
    const drawn = sample(piece(verdict, '5%', 7, '90%'))
    return html`${drawn}<span class="${tone}">${sign}</span> ${word}: ${amount(count)}`
  })
}
