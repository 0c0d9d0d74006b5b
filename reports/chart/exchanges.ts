/** Exchanges on one time axis: which were in flight together, and when each had its headers. */
import type { Exchange } from '../../bundle/record.ts'
import { html, noMarkup, type Markup } from '../document/markup.ts'
import { resultText } from '../findings/exchanges.ts'
import {
  clipped,
  countedAmount,
  endOf,
  isTime,
  label,
  picture,
  rule,
  sample,
  share,
  span,
  timeAxis,
} from './picture.ts'

const lane = 28

/** `open`: the one that is looked at. */
export function exchangesOverTime(exchanges: readonly Exchange[], open?: Exchange): Markup {
  const shown = exchanges.filter(({ sentAt, endedAt }) => isTime(sentAt) && isTime(endedAt))
  if (shown.length < 2) return noMarkup
  const start = Math.min(...shown.map(({ sentAt }) => sentAt))
  const end = endOf(shown) - start
  const height = shown.length * lane
  const at = (time: number): string => share(time - start, end)
  return picture({
    prefix: 'chart-exchanges',
    title: 'Exchanges on one time axis',
    says: `${countedAmount(shown.length, 'exchange')} in ${span(end)}.`,
    height: height + 18,
    body: [
      timeAxis(end, 0, height),
      shown.map((one, row) => {
        const [y, { id, name, sentAt, endedAt, response }] = [row * lane, one]
        const words = clipped(
          `${id} ${name}: ${resultText(one)}, +${span(sentAt - start)}, took ${span(endedAt - sentAt)}`,
          90,
        )
        return html`${label('0%', y + 12, words, 'start', one === open ? '' : 'soft')}
        ${rule(at(sentAt), y + 20, at(endedAt), y + 20, response === null ? 'chart-limit' : 'chart-line')}
        ${response === null ? noMarkup : rule(at(response.at), y + 16, at(response.at), y + 24, 'chart-tick')}`
      }),
    ],
    key: [
      html`${sample(rule('0', 6, '24', 6, 'chart-line'))}in flight, with a stroke where the headers came`,
    ],
  })
}
