/** What a request to the receiver is, as far as it shows. */
import { deliveryId, eventNameOf, isTestDelivery } from '../../suites/webhooks/assertions/deliveries.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import type { KnownIds } from './known-ids.ts'
import { problemsOf } from './problems.ts'
import { readSignature, type SignatureReading } from './signature.ts'

export interface ListenedDelivery extends SignatureReading {
  /** Counts all requests, from 1. */
  number: number
  /** When it came: ISO 8601, UTC. */
  at: string
  /** From the body, else from the header; null where neither has one. */
  event: string | null
  id: string | null
  /** How often its id was seen, this time included. */
  attempt: number
  /** By its id. */
  test: boolean
  /** Its id was answered 2xx before. */
  duplicate: boolean
  bytes: number
  /** What is malformed, in words. */
  problems: readonly string[]
}

interface Circumstances {
  at: string
  secret: string | null
  known: KnownIds
}

export function listenedDelivery(exchange: Exchange, { at, secret, known }: Circumstances): ListenedDelivery {
  const id = deliveryId(exchange)
  return {
    number: exchange.id,
    at,
    event: eventNameOf(exchange),
    id,
    ...(id === null ? { attempt: 1, duplicate: false } : known.seen(id)),
    test: isTestDelivery(exchange),
    bytes: exchange.request.body.length,
    ...readSignature(exchange, secret),
    problems: problemsOf(exchange),
  }
}
