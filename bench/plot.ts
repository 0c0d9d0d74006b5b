/** A chart of the figures relative to their goals: one row each, better to the right. */
import type { BenchRow, Spread } from './figures.ts'
import { comparisonText, figureText, goalText } from './format.ts'

interface Mark {
  what: string
  /** Figure relative to the goal: 1 is just reached, more is better. */
  score: Spread
  /** The figure and its goal. */
  figure: string
  reached: boolean
}

const width = 960
const left = 410
const right = 190
const rowHeight = 26
const top = 56

/** Omits rows without a goal or with a goal of 0. */
export function plot(rows: readonly BenchRow[]): string {
  const marks = rows.flatMap((row): readonly Mark[] => {
    const score = scoreOf(row)
    return score
      ? [
          {
            what: comparisonText(row),
            score,
            figure: `${figureText(row)}, ${goalText(row)}`,
            reached: row.reached === true,
          },
        ]
      : []
  })
  const x = scaleOf(marks)
  const height = top + rowHeight * marks.length + 30
  const bottom = top + rowHeight * marks.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">
<title id="t">Figures relative to their goals</title>
<desc id="d">${escaped(marks.map((mark) => `${mark.what}: ${mark.figure}, ${mark.reached ? 'reached' : 'not reached'}`).join('. '))}</desc>
<style>${style}</style>
<rect class="page" width="${width}" height="${height}"/>
<rect class="good" x="${x(1)}" y="${top - 8}" width="${width - right - x(1)}" height="${bottom - top + 8}"/>
<text class="soft end" x="${x(1) - 8}" y="${top - 32}">worse than the goal</text>
<text class="soft" x="${x(1) + 8}" y="${top - 32}">better than the goal</text>
${ticksOf(marks)
  .map((tick) => tickLine(tick, x(tick), bottom))
  .join('\n')}
<line class="goal" x1="${x(1)}" y1="${top - 28}" x2="${x(1)}" y2="${bottom}"/>
${marks.map((mark, index) => markLine(mark, top + rowHeight * (index + 0.5), x)).join('\n')}
</svg>
`
}

function scoreOf(row: BenchRow): Spread | null {
  const { goal, better, ours, ratio } = row
  const figure = goal?.of === 'ratio' ? ratio : ours
  if (!goal || !figure || goal.value === 0) return null
  const score = (value: number): number => (better === 'higher' ? value / goal.value : goal.value / value)
  const [one, other] = [score(figure.low), score(figure.high)]
  return { low: Math.min(one, other), median: score(figure.median), high: Math.max(one, other) }
}

/** Logarithmic scale. */
function scaleOf(marks: readonly Mark[]): (score: number) => number {
  const [least, most] = rangeOf(marks)
  const span = Math.log2(most / least)
  return (score) => Math.round(10 * (left + ((width - left - right) * Math.log2(score / least)) / span)) / 10
}

/** The powers of two that include all scores. */
function rangeOf(marks: readonly Mark[]): readonly [number, number] {
  const lows = marks.map(({ score }) => score.low)
  const highs = marks.map(({ score }) => score.high)
  return [
    2 ** Math.floor(Math.log2(Math.min(0.5, ...lows))),
    2 ** Math.ceil(Math.log2(Math.max(2, ...highs))),
  ]
}

function ticksOf(marks: readonly Mark[]): readonly number[] {
  const [least, most] = rangeOf(marks)
  const ticks: number[] = []
  for (let tick = least; tick <= most; tick *= 2) ticks.push(tick)
  return ticks
}

function tickLine(tick: number, x: number, bottom: number): string {
  const words = tick === 1 ? 'goal' : tick < 1 ? `1/${1 / tick}` : `${tick}×`
  return `<line class="grid" x1="${x}" y1="${top - 8}" x2="${x}" y2="${bottom}"/><text class="soft middle" x="${x}" y="${bottom + 18}">${words}</text>`
}

function markLine({ what, score, figure, reached }: Mark, y: number, x: (score: number) => number): string {
  const tone = reached ? 'reached' : 'missed'
  const spread = `<line class="${tone} spread" x1="${x(score.low)}" y1="${y}" x2="${x(score.high)}" y2="${y}"/>`
  // Distinct shapes, for readers who do not see the colours.
  const at = x(score.median)
  const sign = reached
    ? `<circle class="${tone}" cx="${at}" cy="${y}" r="5"/>`
    : `<path class="${tone}" d="M${at - 5} ${y - 5}l10 10m0 -10l-10 10"/>`
  return `<text class="end" x="${left - 16}" y="${y + 4}">${escaped(what)}</text>${spread}${sign}<text x="${width - right + 14}" y="${y + 4}">${escaped(figure)}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

const style = `
text{font:12px/1 system-ui,sans-serif;fill:#1c2024}
.soft{fill:#60646c}.end{text-anchor:end}.middle{text-anchor:middle}
.page{fill:#fff}.good{fill:#e9f5ee}.grid{stroke:#d9d9e0}.goal{stroke:#1c2024;stroke-width:1.5}
circle.reached{fill:#18794e}line.reached{stroke:#18794e}
path.missed{stroke:#c0392b;stroke-width:2.5;fill:none}line.missed{stroke:#c0392b}
.spread{stroke-width:3;stroke-linecap:round;opacity:.55}
@media (prefers-color-scheme:dark){text{fill:#edeef0}.soft{fill:#b0b4ba}.page{fill:#111113}.good{fill:#132d21}
.grid{stroke:#363a3f}.goal{stroke:#edeef0}circle.reached{fill:#3dd68c}line.reached{stroke:#3dd68c}
path.missed,line.missed{stroke:#ff9592}}`
