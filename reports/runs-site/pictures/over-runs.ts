/** A number of each run of a target, as a stepped line from the oldest version to the newest. */
import { label, picture, rule, sample, steps, stretched } from '../../chart/picture.ts'
import { roundTicks } from '../../chart/scale.ts'
import { amount, clipped } from '../../chart/wording.ts'
import { html, noMarkup } from '../../html/elements/escape.ts'
import type { Markup } from '../../html/elements/escape.ts'
import type { RunEntry } from '../entry.ts'

export interface NumberLine {
  name: string
  values: readonly number[]
}

export interface NumbersOverRuns {
  prefix: string
  title: string
  says: string
  lines: readonly NumberLine[]
  /** The runs of the values. */
  entries: readonly RunEntry[]
}

const [top, plot] = [14, 90]
const kinds = ['chart-line', 'chart-line-2'] as const

/** Nothing if all numbers are 0. */
export function overRuns({ prefix, title, says, lines, entries }: NumbersOverRuns): Markup {
  const most = Math.max(...lines.flatMap(({ values }) => values))
  if (!(most > 0)) return noMarkup
  const ticks = roundTicks(most)
  const highest = ticks.at(-1) ?? 1
  const y = (value: number) => top + Math.round(plot * (1 - value / highest))
  const [first, last] = [entries[0]?.version ?? '', entries.at(-1)?.version ?? '']
  return picture({
    prefix,
    title,
    says,
    height: top + plot + 18,
    body: [
      ticks.map((value) => rule('0%', y(value), '100%', y(value), value === 0 ? 'chart-base' : 'chart-grid')),
      stretched(
        top,
        plot,
        lines.map(({ values }, index) => ({
          d: steps(values, highest, plot),
          kind: kinds[index] ?? kinds[0],
        })),
      ),
      ticks.map((value) =>
        value === 0 ? noMarkup : label('0%', y(value) - 3, amount(value), 'start', 'soft'),
      ),
      label('0%', top + plot + 16, clipped(first, 20), 'start', 'soft'),
      entries.length > 1 ? label('100%', top + plot + 16, clipped(last, 20), 'end', 'soft') : noMarkup,
    ],
    key: lines.length < 2 ? [] : lines.map(({ name }, index) => html`${lineSample(index)}${name}`),
  })
}

function lineSample(index: number): Markup {
  return sample(rule('0%', 6, '100%', 6, kinds[index] ?? kinds[0]))
}
