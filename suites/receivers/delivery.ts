/** What is posted to a receiver: plain data, so that one thing of it can be changed. */
import { contractIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import type { Header } from '../wire/exchange.ts'
import { signatureOf, type Subject } from './subject.ts'

export interface Delivery {
  id: string
  signatureHeader: string
  headers: readonly Header[]
  body: Uint8Array
  /** The body goes out in two writes: so many bytes first. */
  splitAt?: number
}

export interface Envelope {
  eventType: string
  chatbotId: string
  timestamp: string
  payload: Readonly<Record<string, unknown>>
}

export interface Wish {
  /** Default: a fresh one that begins with `whd_`. */
  id?: string
  event?: string
  /** Members beside the ordinary ones of the payload; one given here replaces the ordinary one. */
  payload?: Readonly<Record<string, unknown>>
  /** Members beside the ordinary ones of the envelope. */
  beside?: Readonly<Record<string, unknown>>
  /** How the envelope is spelled. Default: `JSON.stringify`. */
  write?: (envelope: Envelope) => string
}

/** Each normal form of Unicode changes another part of it. */
export const everyForm = 'é e\u0301 \ufb01 \u212b'

/** Names that every delivery carries by itself, in lower case. */
export function ownHeaders(own: Identifiers): readonly string[] {
  const named = [own.signatureHeader, own.deliveryIdHeader, own.eventHeader]
  return ['content-type', 'user-agent', ...named.map((name) => name.toLowerCase())]
}

export function deliveryOf(
  id: string,
  envelope: Envelope,
  write: (it: Envelope) => string,
  { secret, identifiers = contractIdentifiers }: Pick<Subject, 'secret' | 'identifiers'>,
): Delivery {
  const body = new TextEncoder().encode(write(envelope))
  const { userAgent, signatureHeader, deliveryIdHeader, eventHeader } = identifiers
  const headers: readonly Header[] = [
    ['content-type', 'application/json'],
    ['user-agent', userAgent],
    [signatureHeader, signatureOf(body, secret)],
    [deliveryIdHeader, id],
    [eventHeader, envelope.eventType],
  ]
  return { id, headers, body, signatureHeader }
}

/** The delivery with these values in place of its signature, one header line for each; none: without. */
export function bearing(delivery: Delivery, ...values: readonly string[]): Delivery {
  const { signatureHeader } = delivery
  const others = delivery.headers.filter(([name]) => name !== signatureHeader)
  return { ...delivery, headers: [...others, ...values.map((value): Header => [signatureHeader, value])] }
}

/** The same bytes and signature under another id, which is not signed. */
export function underId(delivery: Delivery, id: string): Delivery {
  const headers = delivery.headers.map(([name, value]): Header => [name, value === delivery.id ? id : value])
  return { ...delivery, id, headers }
}

export function holding(delivery: Delivery, body: string | Uint8Array): Delivery {
  return { ...delivery, body: typeof body === 'string' ? new TextEncoder().encode(body) : body }
}

export function textOf({ body }: Pick<Delivery, 'body'>): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
}

export function digestOf({ headers, signatureHeader }: Delivery): string {
  const value = headers.find(([name]) => name === signatureHeader)?.[1] ?? ''
  return value.replace('sha256=', '')
}
