/** Deliveries that came in, and how often each was tried: the numbers behind `delivery-attempts.ts`. */
import type { Exchange, Run } from '../bundle/record.ts'
import { identifiersIn } from '../../spec/identifiers.ts'
import { isTime } from './sent.ts'

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
