/** What a request to the receiver is, as far as it shows. */
import type { Arrival } from '../../suites/inbound/inbox.ts'
import { envelopeOf, headerOf } from './envelope.ts'
import type { KnownIds } from './known-ids.ts'
import { signatureOf, type SignatureVerdict } from './signature.ts'

export interface Delivery {
  /** Counts all requests, from 1. */
  number: number
  /** When it came: ISO 8601, UTC. */
  at: string
  event: string | null
  id: string | null
  /** How often its id was seen, this time included. */
  attempt: number
  /** By its id. */
  test: boolean
  /** Its id was answered 2xx before. */
  duplicate: boolean
  bytes: number
  signature: SignatureVerdict
  /** What is malformed, in words. */
  problems: readonly string[]
}

export interface Circumstances {
  at: string
  secret: string | null
  known: KnownIds
}

export function deliveryOf(arrival: Arrival, { at, secret, known }: Circumstances): Delivery {
  const id = headerOf(arrival, 'x-service-delivery-id')
  const { event, problems } = envelopeOf(arrival)
  return {
    number: arrival.number,
    at,
    event,
    id,
    ...(id === null ? { attempt: 1, duplicate: false } : known.seen(id)),
    test: id?.startsWith('test_') ?? false,
    bytes: arrival.body.length,
    signature: signatureOf(arrival, secret),
    problems,
  }
}
