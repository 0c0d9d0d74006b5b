/** Whether a delivery is signed with the secret of its webhook, over the bytes as they came. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Arrival } from '../../suites/inbound/inbox.ts'
import { headerOf } from './envelope.ts'

export type SignatureVerdict = 'ok' | 'wrong' | 'missing' | 'not checked'

export function signatureOf(arrival: Arrival, secret: string | null): SignatureVerdict {
  const given = headerOf(arrival, 'x-service-signature')
  if (given === null) return 'missing'
  // What was cut off was signed too.
  if (secret === null || arrival.cut) return 'not checked'
  const right = Buffer.from(`sha256=${createHmac('sha256', secret).update(arrival.body).digest('hex')}`)
  const mine = Buffer.from(given)
  return mine.length === right.length && timingSafeEqual(mine, right) ? 'ok' : 'wrong'
}
