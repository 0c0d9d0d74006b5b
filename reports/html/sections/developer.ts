/** For developers: what is broken, how it came about, and how it is seen again. */
import type { Finding } from '../../bundle/record.ts'
import { attemptsOf, requestChartsOf } from './charts.ts'
import { cards, type Materials } from './cards.ts'
import { html } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import { lane, part } from '../elements/words.ts'

export function developerLane(rows: readonly Finding[], from: Materials): Markup {
  const only = (...verdicts: readonly Finding['verdict'][]) =>
    rows.filter(({ verdict }) => verdicts.includes(verdict))
  const broken = only('fail', 'error')
  const timeline = [requestChartsOf(from.run), attemptsOf(from.run)].filter(({ markup }) => markup !== '')
  return lane('developer', 'For developers', [
    part('failures', 'Failures', broken.length > 0 ? cards(broken, from) : [html`<p>No check failed.</p>`]),
    part('warnings', 'Warnings', cards(only('warn'), from)),
    part('inconclusive', 'Inconclusive', cards(only('inconclusive'), from)),
    part('traffic', 'What went over the wire', timeline),
  ])
}
