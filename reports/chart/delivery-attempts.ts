/** Each delivery that was tried more than once or not taken: its attempts on the clock of the target. */
import type { Run } from '../../suites/record.ts'
import { html, nothing } from '../html/escape.ts'
import type { Markup } from '../html/escape.ts'
import { deliveriesOf } from './attempts.ts'
import type { Attempt, Deliveries, Delivery } from './attempts.ts'
import { bar, label, picture, rule, timeAxis } from './picture.ts'
import { share } from './scale.ts'
import { span } from './time.ts'
import { amount, clipped, counted } from './wording.ts'

const mostRows = 30
const mostMarks = 12
const rowHeight = 34
/** Left free on both sides, so that signs at the ends stay within. */
const edge = 0.02

export function deliveryAttempts(run: Run, prefix = 'chart-deliveries'): Markup {
  const deliveries = deliveriesOf(run)
  const { total, telling } = deliveries
  if (total === 0) return nothing
  const rows = mostTelling(telling)
  const end = rows
    .flatMap(({ attempts }) => attempts)
    .reduce((last, one) => Math.max(last, one.after + one.took), 1)
  const height = rows.length * rowHeight
  return picture({
    prefix,
    title: 'Attempts of each delivery, from its first on',
    says: inWords(deliveries, rows.length),
    height: rows.length > 0 ? height + 22 : 1,
    body:
      rows.length > 0
        ? [
            html`<svg x="${`${100 * edge}%`}" width="${`${100 * (1 - 2 * edge)}%`}" height="${height + 22}">
              ${timeAxis(end, 0, height)}
            </svg>`,
            rows.map((one, index) => row(one, index * rowHeight, end)),
          ]
        : nothing,
    key: rows.length > 0 ? keyOf() : [],
  })
}

/** The most often tried, in the order in which they came. */
function mostTelling(telling: readonly Delivery[]): readonly Delivery[] {
  const chosen = new Set(
    telling.toSorted((one, other) => other.attempts.length - one.attempts.length).slice(0, mostRows),
  )
  return telling.filter((one) => chosen.has(one))
}

function row({ id, event, scenario, attempts }: Delivery, top: number, end: number): Markup {
  const name = clipped(scenario === '' ? event : scenario, 26)
  const tail = id === null ? 'no id' : `…${clipped(id.slice(-6), 12)}`
  const answers = attempts.slice(0, 6).map(({ answer }) => answer)
  const more = attempts.length > 6 ? ', …' : ''
  return html`${label('0%', top + 12, html`${name} <tspan class="soft">${tail}</tspan>`)}
  ${label('100%', top + 12, answers.join(', ') + more, 'end', 'soft')}
  ${rule('0%', top + 24, '100%', top + 24, 'chart-grid')}
  ${attempts.slice(0, mostMarks).map((one) => mark(one, top + 24, end))}`
}

function mark({ after, took, taken }: Attempt, y: number, end: number): Markup {
  const x = (at: number) => share(edge + (1 - 2 * edge) * (at / end), 1)
  const tone = taken ? 'good' : 'bad'
  // What takes no time that could be seen is its sign alone.
  const wait =
    took / end > 0.02
      ? bar(x(after), y - 3, share((1 - 2 * edge) * took, end), 6, `chart-hollow ${tone}`)
      : nothing
  return html`${wait}${label(x(after), y + 5, taken ? '✓' : '✗', 'middle', `sign ${tone}`)}`
}

function keyOf(): readonly Markup[] {
  return [
    html`<span class="good">✓</span> an attempt that we answered with a 2xx`,
    html`<span class="bad">✗</span> another answer, or none: its words stand at the right, in order`,
    html`<span class="bad">▭</span> as long as we let it wait`,
  ]
}

function inWords({ total, telling }: Deliveries, drawn: number): string {
  const plain = `${counted(total, 'delivery', 'deliveries')} came in, ${amount(total - telling.length)} taken at the first attempt`
  if (telling.length === 0) return `${plain}.`
  const recovered = telling.filter(({ attempts }) => attempts.at(-1)?.taken).length
  const most = telling.reduce((max, { attempts }) => Math.max(max, attempts.length), 0)
  const gaps = telling.flatMap(({ attempts }) =>
    attempts.slice(1).map(({ after }, index) => after - (attempts[index]?.after ?? 0)),
  )
  const between =
    gaps.length > 0 ? `, ${span(extreme(gaps, Math.min))} to ${span(extreme(gaps, Math.max))} apart` : ''
  const left = telling.length > drawn ? ` The ${drawn} most often tried are drawn.` : ''
  return `${plain}. Of ${amount(telling.length)} that were not, or came again, ${amount(recovered)} ended with a 2xx; at most ${counted(most, 'attempt')}${between}.${left}`
}

function extreme(gaps: readonly number[], of: (one: number, other: number) => number): number {
  return gaps.reduce((one, other) => of(one, other))
}
