/**
 * The frame of a picture and the pieces in it. Places across are percentages and heights are pixels, so that a
 * picture fills any width while its text keeps its size; what has to be stretched stands in a box of its own.
 */
import { html, noMarkup } from '../document/markup.ts'
import type { Hole, Markup } from '../document/markup.ts'
import { share } from './scale.ts'
import { timeTicks } from './time.ts'

export interface Picture {
  /** Begins its ids; no two pictures of a page may share it. */
  prefix: string
  title: string
  says: string
  /** Pixels. */
  height: number
  body: Hole
  /** What the signs mean. */
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

export function bar(x: string, y: number, width: string, height: number, kind: string): Markup {
  return html`<rect x="${x}" y="${y}" width="${width}" height="${height}" class="${kind}"></rect>`
}

/** Lines that stretch with the width, over a height of `height` pixels from `y` on. A path is `wide` wide. */
export function stretched(y: number, height: number, paths: readonly PicturePath[], wide = 1_000): Markup {
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

export interface PicturePath {
  d: string
  kind: string
}

/** A stepped line over bins of equal width; nothing is drawn where nothing is known. */
export function steps(values: readonly (number | null)[], most: number, height: number): string {
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

/** A small sample of a line or bar, for the key. */
export function sample(piece: Markup): Markup {
  return html`<svg class="chart-sample" width="24" height="12" aria-hidden="true">${piece}</svg>`
}
