/** Whether a delivery was signed with the secret of its webhook. */
import { bytesOf } from './bytes.ts'
import { InvalidCall } from './errors.ts'

const form = /^sha256=[0-9a-fA-F]{64}$/

/** A copy, as what verifies takes no shared memory. */
function bodyOf(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  const bytes = bytesOf(rawBody)
  if (bytes) return Uint8Array.from(bytes)
  throw new InvalidCall(
    'The body is neither text nor bytes.',
    'Hand in what came over the wire, before anything parses it: its signature is over its bytes.',
  )
}

function digestIn(header: string): Uint8Array<ArrayBuffer> {
  const pairs = header.slice('sha256='.length).match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}

/**
 * Compares in constant time. False for whatever else came over the wire: no header, a malformed one, another body.
 *
 * `rawBody`: as it came, before it was parsed; bytes where they can be had. `header`: the value of
 * `x-service-signature`. `secret`: of the webhook, from the answer that created it. Rejects with `InvalidCall` for an
 * empty secret and for a body that was parsed already, which are mistakes on this side.
 *
 * @example
 * const genuine = await verifyWebhook(await request.arrayBuffer(), request.headers.get('x-service-signature'), secret)
 * if (!genuine) return new Response(null, { status: 401 })
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | null | undefined,
  secret: string,
): Promise<boolean> {
  if (typeof secret !== 'string' || secret === '')
    throw new InvalidCall(
      'The secret of the webhook is missing.',
      'Hand in what the answer that created it showed.',
    )
  const body = bodyOf(rawBody)
  if (typeof header !== 'string' || !form.test(header)) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ])
  return crypto.subtle.verify('HMAC', key, digestIn(header), body)
}
