/** Each delivery that was tried more than once or not taken: its attempts on the clock of the target. */
import { identifiersIn } from '../../spec/identifiers.ts'
import { type Exchange, type Run } from '../bundle/record.ts'
import { type Markup, html, noMarkup } from '../document/markup.ts'
import { isTime } from './sent.ts'
import {
  type PicturePath,
  amount,
  clipped,
  countedAmount,
  label,
  picture,
  rule,
  sample,
  share,
  span,
  stretched,
  timeAxis,
} from './picture.ts'

const title = 'Attempts of each delivery, from its first on'
const mostRows = 36
const mostMarks = 120
const mostInRow = 12
const mostAnswers = 4
/** Characters that stand side by side on a narrow screen. */
const line = 46
const rowHeight = 34
/** Left free on both sides, so that signs at the ends stay within. */
const edge = 0.02

export function deliveryAttempts(run: Run, prefix = 'chart-deliveries'): Markup {
  const deliveries = deliveriesOf(run)
  if (deliveries.total === 0) return noMarkup
  const rows = mostTried(deliveries.retriedOrFailed)
  const says = inWords(deliveries, rows.length)
  if (rows.length === 0) return html`<p class="chart-says">${says}</p>`
  const end = rows
    .flatMap(({ attempts }) => attempts)
    .reduce((last, one) => Math.max(last, one.after + one.took), 1)
  const height = rows.length * rowHeight
  return picture({
    prefix,
    title,
    says,
    height: height + 22,
    body: html`<svg x="${`${100 * edge}%`}" width="${`${100 * (1 - 2 * edge)}%`}" height="${height + 22}">
        ${timeAxis(end, 0, height)}
      </svg>
      ${stretched(0, height, tracks(rows, end))} ${rows.map((one, index) => row(one, index * rowHeight, end))}`,
    key,
  })
}

/** The most often tried, in the order in which they came; as many as have room for their marks. */
function mostTried(retriedOrFailed: readonly DeliveryAttempts[]): readonly DeliveryAttempts[] {
  let marks = 0
  const chosen = retriedOrFailed
    .toSorted((one, other) => other.attempts.length - one.attempts.length)
    .slice(0, mostRows)
    .filter(({ attempts }) => (marks += Math.min(mostInRow, attempts.length)) <= mostMarks)
  return retriedOrFailed.filter((one) => chosen.includes(one))
}

/** Where a time stands, as a share of the width. */
function across(at: number, end: number): number {
  return edge + (1 - 2 * edge) * (at / end)
}

/** The line of each row, and on it a stroke for each attempt that waited so long that it can be seen. */
function tracks(rows: readonly DeliveryAttempts[], end: number): readonly PicturePath[] {
  const y = (index: number) => index * rowHeight + 24
  const x = (at: number) => Number((1_000 * across(at, end)).toFixed(1))
  const waits = rows.flatMap(({ attempts }, index) =>
    attempts
      .slice(0, mostInRow)
      .filter(({ took }) => took / end > 0.02)
      .map(({ after, took }) => `M${x(after)} ${y(index)}H${x(after + took)}`),
  )
  return [
    { d: rows.map((_, index) => `M0 ${y(index)}H1000`).join(''), kind: 'chart-grid' },
    { d: waits.join(''), kind: 'chart-wait' },
  ]
}

function row({ id, event, scenario, attempts }: DeliveryAttempts, top: number, end: number): Markup {
  const shown = attempts.slice(0, mostAnswers).map(({ answer }) => answer)
  const answers = shown.join(', ') + (attempts.length > mostAnswers ? `, … (${attempts.length})` : '')
  const tail = id === null ? 'no id' : `…${clipped(id.slice(-6), 8)}`
  const name = clipped(scenario === '' ? event : scenario, Math.max(8, line - tail.length - answers.length))
  const marks = attempts.slice(0, mostInRow).map(({ after, taken }) => {
    const x = share(across(after, end), 1)
    return label(x, top + 29, taken ? '✓' : '✗', 'middle', taken ? 'sign good' : 'sign bad')
  })
  return html`${label('0%', top + 12, html`${name} <tspan class="soft">${tail}</tspan>`)}
  ${label('100%', top + 12, answers, 'end', 'soft')}${marks}`
}

const key: readonly Markup[] = [
  html`<span class="good">✓</span> an attempt that we answered with a 2xx`,
  html`<span class="bad">✗</span> another answer, or none: at the right in words, in order`,
  html`${sample(rule('0', 6, '24', 6, 'chart-wait'))}as long as we let it wait`,
]

function inWords({ total, retriedOrFailed }: Deliveries, drawn: number): string {
  const plain = `${countedAmount(total, 'delivery', 'deliveries')} came in, ${amount(total - retriedOrFailed.length)} taken at the first attempt`
  if (retriedOrFailed.length === 0) return `${plain}.`
  const recovered = retriedOrFailed.filter(({ attempts }) => attempts.at(-1)?.taken).length
  const most = retriedOrFailed.reduce((max, { attempts }) => Math.max(max, attempts.length), 0)
  const gaps = retriedOrFailed.flatMap(({ attempts }) =>
    attempts.slice(1).map(({ after }, index) => after - (attempts[index]?.after ?? 0)),
  )
  const between =
    gaps.length > 0 ? `, ${span(extreme(gaps, Math.min))} to ${span(extreme(gaps, Math.max))} apart` : ''
  const left = retriedOrFailed.length > drawn ? ` The ${drawn} most often tried are drawn.` : ''
  return `${plain}. Of ${amount(retriedOrFailed.length)} that were not, or came again, ${amount(recovered)} ended with a 2xx; at most ${countedAmount(most, 'attempt')}${between}.${left}`
}

function extreme(gaps: readonly number[], of: (one: number, other: number) => number): number {
  return gaps.reduce((one, other) => of(one, other))
}

export interface ChartedAttempt {
  /** Milliseconds after the first, on the clock of the target. */
  after: number
  /** Milliseconds until our answer ended, or it was given up. */
  took: number
  /** What we answered: a status, or why there was none. */
  answer: string
  taken: boolean
}

export interface DeliveryAttempts {
  /** Null where it named none; then it is an only attempt. */
  id: string | null
  event: string
  scenario: string
  attempts: readonly ChartedAttempt[]
}

export interface Deliveries {
  total: number
  /** More than one attempt, or one that was not taken; in the order in which they began. */
  retriedOrFailed: readonly DeliveryAttempts[]
}

export function deliveriesOf({ journal }: Run): Deliveries {
  const came = journal.filter((one) => one.inbound && isTime(one.inbound.targetAt) && isTime(one.sentAt))
  const groups = Map.groupBy(came, (one) => header(one, 'deliveryIdHeader') ?? one)
  const all = [...groups].map(([id, own]) => deliveryOf(typeof id === 'string' ? id : null, own))
  const retriedOrFailed = all.filter(
    ({ attempts }) => attempts.length > 1 || attempts.some(({ taken }) => !taken),
  )
  return { total: all.length, retriedOrFailed }
}

function deliveryOf(id: string | null, own: readonly Exchange[]): DeliveryAttempts {
  const inOrder = own.toSorted((one, other) => begun(one) - begun(other))
  const [first] = inOrder
  const start = first ? begun(first) : 0
  return {
    id,
    event: (first && header(first, 'eventHeader')) ?? 'no event named',
    scenario: first?.scenario ?? '',
    attempts: inOrder.map((one) => attemptOf(one, start)),
  }
}

function attemptOf(exchange: Exchange, start: number): ChartedAttempt {
  const { inbound, response, failure, endedAt } = exchange
  const ended = inbound?.targetEndedAt ?? endedAt
  const took = ended - begun(exchange)
  return {
    after: begun(exchange) - start,
    took: isTime(took) ? took : 0,
    answer: failure ? failure.kind : response ? String(response.status) : 'nothing',
    taken: !failure && response !== null && response.status >= 200 && response.status < 300,
  }
}

function begun({ inbound, sentAt }: Exchange): number {
  return inbound?.targetAt ?? sentAt
}

function header(exchange: Exchange, identifier: 'deliveryIdHeader' | 'eventHeader'): string | undefined {
  const name = identifiersIn(exchange)[identifier].toLowerCase()
  return exchange.request.headers.find(([given]) => given.toLowerCase() === name)?.[1]
}
