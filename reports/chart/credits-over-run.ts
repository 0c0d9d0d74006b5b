/** Credits used so far, as the answers report them, against the cap of the run. */
import type { Run } from '../bundle/record.ts'
import { noMarkup } from '../document/markup.ts'
import type { Markup } from '../document/markup.ts'
import { creditSpendingOf } from './credits.ts'
import type { CreditSpending } from './credits.ts'
import { label, picture, rule, steps, stretched, timeAxis } from './picture.ts'
import { roundTicks } from './scale.ts'
import { amount, countedAmount } from './wording.ts'

const top = 14
const plot = 120

export function creditsOverRun(run: Run, prefix = 'chart-credits'): Markup {
  const credits = creditSpendingOf(run)
  if (!credits) return noMarkup
  const { grid, bins, total, cap } = credits
  // A cap far above would press the line into the ground.
  const near = cap !== null && cap <= 3 * total ? cap : null
  const ticks = roundTicks(Math.max(total, near ?? 0) * 1.02)
  const most = ticks.at(-1) ?? 1
  const y = (value: number) => top + Math.round(plot * (1 - value / most))
  const lines = ticks.map((value) => [
    rule('0%', y(value), '100%', y(value), value === 0 ? 'chart-base' : 'chart-grid'),
    value === 0 ? noMarkup : label('0%', y(value) - 3, amount(value), 'start', 'soft'),
  ])
  const limit =
    near === null
      ? noMarkup
      : [
          rule('0%', y(near), '100%', y(near), 'chart-limit'),
          label('100%', y(near) - 4, `cap ${amount(near)}`, 'end', 'bad'),
        ]
  return picture({
    prefix,
    title: 'Credits used so far, as the answers report them',
    says: inWords(credits, run.record.used.credits),
    height: top + plot + 18,
    body: [
      lines,
      limit,
      stretched(top, plot, [{ d: steps(bins, most, plot), kind: 'chart-line' }]),
      timeAxis(grid.end, top, top + plot),
    ],
    key: [],
  })
}

function inWords({ total, answers, dearest, cap }: CreditSpending, recorded: number): string {
  const of = cap === null ? '' : ` of at most ${amount(cap)}`
  const each = `${countedAmount(answers, 'answer')} ${answers === 1 ? 'reports' : 'report'} a cost, the dearest ${amount(dearest)}`
  // The record counts while the run goes on; that both agree is worth no words, that they do not is.
  const apart = Math.abs(total - recorded) < 1e-6 ? '' : ` The run itself counted ${amount(recorded)}.`
  return `${countedAmount(total, 'credit')} used${of}: ${each}.${apart}`
}
