/**
 * One way to draw: the frame of a picture and the pieces in it, places, times and numbers in words. Places across are
 * percentages and heights are pixels, so that a picture fills any width while its text keeps its size; what has to be
 * stretched stands in a box of its own.
 */
import type { Exchange } from '../../bundle/record.ts'
import { duration } from '../document/blocks.ts'
import { html, noMarkup, type Hole, type Markup } from '../document/markup.ts'
import { visibleLine } from '../visible.ts'

export interface Picture {
  /** Begins its ids; no two pictures of a page may share it. */
  prefix: string
  title: string
  says: string
  height: number
  body: Hole
  key: readonly Markup[]
}

/** Goes into a `figure`. The words above it are its description as well, and are read out once. */
export function picture({ prefix, title, says, height, body, key }: Picture): Markup {
  const ids = [`${prefix}-title`, `${prefix}-desc`]
  return html`<p class="chart-says" aria-hidden="true">${says}</p>
    <svg class="chart" width="100%" height="${height}" role="img" aria-labelledby="${ids.join(' ')}">
      <title id="${ids[0]}">${title}</title>
      <desc id="${ids[1]}">${says}</desc>
      ${body}
    </svg>
    ${
      key.length > 0
        ? html`<ul class="chart-key">
            ${key.map((one) => html`<li>${one}</li>`)}
          </ul>`
        : noMarkup
    }`
}

type Anchor = 'start' | 'middle' | 'end'

/** Begins, is centred or ends at `x`; stands on `y`. */
export function label(x: string, y: number, text: Hole, anchor: Anchor = 'start', tone = ''): Markup {
  const classes = [anchor === 'start' ? '' : anchor, tone].filter(Boolean).join(' ')
  return html`<text x="${x}" y="${y}" ${classes === '' ? noMarkup : html` class="${classes}"`}>${text}</text>`
}

export function rule(x1: string, y1: number, x2: string, y2: number, kind: string): Markup {
  return html`<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${kind}"></line>`
}

/** Lines that stretch with the width, over a height of `height` pixels from `y` on. A path is `wide` wide. */
export function stretched(
  y: number,
  height: number,
  paths: readonly { d: string; kind: string }[],
  wide = 1_000,
): Markup {
  return html`<svg
    y="${y}"
    width="100%"
    height="${height}"
    viewBox="0 0 ${wide} ${height}"
    preserveAspectRatio="none"
  >
    ${paths.map(({ d, kind }) => html`<path d="${d}" class="${kind}"></path>`)}
  </svg>`
}

/** A stepped line over bins of equal width; nothing is drawn where nothing is known. */
function steps(values: readonly (number | null)[], most: number, height: number): string {
  const x = (index: number) => Math.round((index * 10_000) / values.length) / 10
  const y = (value: number) => Math.round(10 * height * (1 - value / most)) / 10
  return values
    .map((value, index) => {
      if (value === null) return ''
      const before = values[index - 1] ?? null
      const start = before === null ? `M${x(index)} ${y(value)}` : before === value ? '' : `V${y(value)}`
      return values[index + 1] === value ? start : `${start}H${x(index + 1)}`
    })
    .join('')
}

/** The axis of time below a plot that ends at `y`, with faint lines up to `top`. Takes 18 pixels. */
export function timeAxis(end: number, top: number, y: number): readonly Markup[] {
  return timeTicks(end).map(({ at, label: text }) => {
    const x = share(at, end)
    const anchor = at === 0 ? 'start' : at / end > 0.93 ? 'end' : 'middle'
    return html`${rule(x, top, x, y + 4, 'chart-grid')}${label(x, y + 16, text, anchor, 'soft')}`
  })
}

interface Plot {
  top: number
  height: number
  /** Milliseconds. */
  end: number
  kinds: readonly string[]
}

/** Stepped lines over time above round numbers, and the limits that they are to stay below. */
export function plotOf(
  lines: readonly (readonly (number | null)[])[],
  limits: readonly (readonly [value: number, name: string])[],
  { top, height, end, kinds }: Plot,
): Hole {
  const highest = [...lines.flat(), ...limits.map(([value]) => value)].reduce<number>(
    (most, value) => Math.max(most, value ?? 0),
    0,
  )
  const ticks = roundTicks(highest * 1.05)
  const most = ticks.at(-1) ?? 1
  const y = (value: number): number => top + Math.round(height * (1 - value / most))
  return [
    ticks.map((value) => [
      rule('0%', y(value), '100%', y(value), value === 0 ? 'chart-base' : 'chart-grid'),
      value === 0 ? noMarkup : label('0%', y(value) - 3, amount(value), 'start', 'soft'),
    ]),
    limits.map(([value, name]) => [
      rule('0%', y(value), '100%', y(value), 'chart-limit'),
      label('100%', y(value) - 4, name, 'end', 'bad'),
    ]),
    stretched(
      top,
      height,
      lines.map((line, at) => ({ d: steps(line, most, height), kind: kinds[at] ?? '' })),
    ),
    timeAxis(end, top, top + height),
  ]
}

export function sample(kind: string): Markup {
  const line = rule('0', 6, '24', 6, kind)
  return html`<svg class="chart-sample" width="24" height="12" aria-hidden="true">${line}</svg>`
}

/** A share of a whole as a percentage; always within it. `12.34%`. */
export function share(part: number, whole: number): string {
  const fraction = whole > 0 ? part / whole : 0
  return `${Number((100 * (fraction > 0 ? Math.min(1, fraction) : 0)).toFixed(2))}%`
}

function roundTicks(most: number): readonly number[] {
  if (!(most > 0)) return [0, 1]
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10
  // A tenth of a request is none.
  const step = Math.max(1, factor * power)
  const length = Math.ceil(most / step) + 1
  return Array.from({ length }, (_, index) => Number((index * step).toPrecision(12)))
}

/** Of a run that could have been: a journal that was tampered with is drawn as well. */
export const isTime = (ms: number): boolean => ms >= 0 && ms <= Number.MAX_SAFE_INTEGER

/** When the last of them ended; at least a millisecond, so that there is something to divide. */
export const endOf = (exchanges: readonly Exchange[]): number =>
  exchanges.reduce((end, { sentAt, endedAt }) => Math.max(end, sentAt, endedAt), 1)

export const answerHeader = ({ response }: Exchange, name: string): string | undefined =>
  response?.headers.find(([given]) => given.toLowerCase() === name)?.[1]

/** The time of a run, cut into as many equal bins. */
export interface Grid {
  /** Milliseconds; above 0. */
  end: number
  bins: number
}

export function binOf(at: number, { end, bins }: Grid): number {
  return Math.max(0, Math.min(bins - 1, Math.floor((at / end) * bins)))
}

/** In each bin the largest value that fell into it; null where none did. */
export function highest(
  values: Iterable<{ at: number; value: number }>,
  grid: Grid,
): readonly (number | null)[] {
  const held = Array.from<number | null>({ length: grid.bins }).fill(null)
  for (const { at, value } of values) {
    const bin = binOf(at, grid)
    held[bin] = Math.max(held[bin] ?? value, value)
  }
  return held
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** `0.4 ms`, `312 ms`, `1.2 s`, `3 min 4 s`, `2 h 5 min`, `3 d 4 h`. */
export function span(ms: number): string {
  if (ms > 0 && ms < 0.05) return '<0.1 ms'
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < second) return `${Math.round(ms)} ms`
  if (ms < hour) return duration(ms / second)
  if (ms < day) return `${Math.floor(ms / hour)} h ${Math.floor((ms % hour) / minute)} min`
  return `${Math.floor(ms / day)} d ${Math.floor((ms % day) / hour)} h`
}

const units = [
  { ms: 1, name: 'ms', steps: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500] },
  { ms: second, name: 's', steps: [1, 2, 5, 10, 15, 30] },
  { ms: minute, name: 'min', steps: [1, 2, 5, 10, 15, 30] },
  { ms: hour, name: 'h', steps: [1, 2, 3, 6, 12] },
  { ms: day, name: 'd', steps: [1, 2, 7, 30, 100, 365] },
] as const

const most = 5

/** At most six round times from 0 up to `end`, which are few enough for a narrow screen. */
export function timeTicks(end: number): readonly { at: number; label: string }[] {
  const all = units.flatMap(({ ms, name, steps }) => steps.map((step) => ({ ms, name, step: step * ms })))
  const { ms, name, step } = all.find((one) => end / one.step <= most) ?? {
    ms: day,
    name: 'd',
    step: day * 10 ** Math.ceil(Math.log10(end / day / most)),
  }
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => ({
    at: index * step,
    label: index === 0 ? '0' : `${Number(((index * step) / ms).toPrecision(6))} ${name}`,
  }))
}

/** `1 request`, `2,258 requests`. */
export function countedAmount(count: number, one: string, many = `${one}s`): string {
  return `${amount(count)} ${count === 1 ? one : many}`
}

/** With at most two decimals; powers of ten where it would be long. */
export function amount(value: number): string {
  if (Math.abs(value) >= 1e9) return value.toExponential(1)
  const [whole = '', decimals] = String(Number(value.toFixed(2))).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** On one line and of that length at most: what a target calls something may be anything. */
export function clipped(text: string, most: number): string {
  const line = visibleLine(text.slice(0, 4 * most))
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

/** `12 kB` in thousands. */
export function size(bytes: number): string {
  if (bytes < 1_000) return countedAmount(bytes, 'byte')
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
