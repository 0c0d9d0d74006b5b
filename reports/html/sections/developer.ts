/** For developers: what failed, with its exchanges and how to reproduce it. */
import type { Finding } from '../../bundle/record.ts'
import { commandOf } from '../../findings/check-again.ts'
import { attemptsOf, requestChartsOf } from './charts.ts'
import { cards, type Materials } from './cards.ts'
import { changesPart, howToCompare } from './changes.ts'
import { html } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import { lane, part } from '../elements/words.ts'

export function developerLane(rows: readonly Finding[], from: Materials): Markup {
  const only = (...verdicts: readonly Finding['verdict'][]) =>
    rows.filter(({ verdict }) => verdicts.includes(verdict))
  const broken = only('fail', 'error')
  const timeline = [requestChartsOf(from.run), attemptsOf(from.run)].filter(({ markup }) => markup !== '')
  const { changes } = from.beside
  return lane('developer', 'For developers', [
    part('failures', 'Failures', broken.length > 0 ? cards(broken, from) : [html`<p>No check failed.</p>`]),
    part(
      'changes',
      'Changes since the last run',
      changes ? changesPart(changes) : [howToCompare(commandOf(from.run.record))],
    ),
    part('warnings', 'Warnings', cards(only('warn'), from)),
    part('inconclusive', 'Inconclusive', cards(only('inconclusive'), from)),
    part('traffic', 'Requests and deliveries over time', timeline),
  ])
}
