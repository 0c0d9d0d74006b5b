/** A clause over the runs of a target, from the oldest version to the newest. */
import { bar, label, picture, rule, sample } from '../../chart/picture.ts'
import { share } from '../../chart/scale.ts'
import { clipped, countedAmount } from '../../chart/wording.ts'
import { html } from '../../html/elements/escape.ts'
import type { Markup } from '../../html/elements/escape.ts'
import { clauseStates, type ClauseState } from '../clause-states.ts'
import type { Stretch } from '../clause-history.ts'

const middle = 12

/** `stretches`: at least one. */
export function clauseStrip(stretches: readonly Stretch[], says: string, prefix: string): Markup {
  const total = stretches.reduce((sum, { runs }) => sum + runs, 0)
  const [first, last] = [stretches[0]?.from.version ?? '', stretches.at(-1)?.to.version ?? '']
  const drawn = stretches.map(({ state, start, runs }) => piece(state, start, runs, total))
  return picture({
    prefix,
    title: 'Verdict of each run',
    says,
    height: 44,
    body: [
      rule('0%', 24, '100%', 24, 'chart-base'),
      drawn,
      label('0%', 40, clipped(first, 20), 'start', 'soft'),
      total > 1 ? label('100%', 40, clipped(last, 20), 'end', 'soft') : html``,
    ],
    key: keyOf(stretches),
  })
}

function piece(state: ClauseState, start: number, runs: number, total: number): Markup {
  const { height, kind, tone } = clauseStates[state]
  if (height === 0) return html``
  return bar(share(start, total), middle - height / 2, share(runs, total), height, `${kind} ${tone}`)
}

function keyOf(stretches: readonly Stretch[]): readonly Markup[] {
  const counts = new Map<ClauseState, number>()
  for (const { state, runs } of stretches) counts.set(state, (counts.get(state) ?? 0) + runs)
  return [...counts].map(([state, count]) => {
    const { word, height, kind, tone } = clauseStates[state]
    const drawn =
      height === 0 ? html`` : sample(bar('5%', 6 - height / 3, '90%', height / 1.5, `${kind} ${tone}`))
    return html`${drawn}${word}: ${countedAmount(count, 'run')}`
  })
}
