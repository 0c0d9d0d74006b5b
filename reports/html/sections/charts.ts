/** The pictures of the page with what each shows. */
import type { Exchange, Run } from '../../bundle/record.ts'
import {
  creditsOverRun,
  deliveryAttempts,
  requestsOverTime,
  streamTimeline,
  verdictsByArea,
} from '../../chart/index.ts'
import type { Markup } from '../elements/escape.ts'
import { figure } from '../elements/words.ts'

export const areasOf = (run: Run): Markup => figure(verdictsByArea(run), 'Checks by area and verdict')

export const requestChartsOf = (run: Run): Markup =>
  figure(requestsOverTime(run), 'Requests per minute against the rate limit')

export const creditChartsOf = (run: Run): Markup =>
  figure(creditsOverRun(run), 'Credits over the run, as reported by responses')

export const attemptsOf = (run: Run): Markup => figure(deliveryAttempts(run), 'Deliveries and their attempts')

/** `place`: distinguishes this picture of an exchange from others in the page. */
export const streamChartOf = (exchange: Exchange, place: string): Markup =>
  figure(streamTimeline(exchange, `stream-${place}`), `Stream timing of exchange ${exchange.id}`)
