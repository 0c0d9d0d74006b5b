/** Whether a delivery was signed with the secret of its webhook. */
import { bytesOf } from './http/refusal.ts'
import { InvalidCall } from './errors.ts'
import { identifiersFor, type VendorOptions } from './options/options.ts'

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

/** The headers of a request: as `fetch` has them, or as Node.js has them in `request.headers`. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

const hasGet = (headers: RequestHeaders): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function'

/** Undefined where it is not there, or there several times. */
function signatureIn(headers: RequestHeaders, name: string): string | null | undefined {
  if (hasGet(headers)) return headers.get(name)
  const found = Object.entries(headers).filter(([one]) => one.toLowerCase() === name.toLowerCase())
  const [value, ...others] = found.flatMap(([, values]) => values)
  return others.length === 0 ? value : undefined
}

/**
 * Compares in constant time. False for whatever else came over the wire: no header, a malformed one, another body.
 *
 * `rawBody`: as it came, before it was parsed; bytes where they can be had. `signature`: the headers of
 * the request, of which the one that the service of that `vendor` signs with is taken; or the value of that header.
 * `secret`: of the webhook, from the answer that created it. Rejects with `InvalidCall` for an empty secret, for a body
 * that was parsed already and for a vendor that cannot be one, which are mistakes on this side.
 *
 * @example
 * const genuine = await verifyWebhook(await request.arrayBuffer(), request.headers, secret, { vendor: 'acme' })
 * if (!genuine) return new Response(null, { status: 401 })
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  signature: RequestHeaders | string | null | undefined,
  secret: string,
  options: VendorOptions = {},
): Promise<boolean> {
  if (typeof secret !== 'string' || secret === '')
    throw new InvalidCall(
      'The secret of the webhook is missing.',
      'Hand in what the answer that created it showed.',
    )
  const body = bodyOf(rawBody)
  const { signatureHeader } = identifiersFor(options)
  const isHeaders = typeof signature === 'object' && signature !== null
  const header = isHeaders ? signatureIn(signature, signatureHeader) : signature
  if (typeof header !== 'string' || !form.test(header)) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ])
  return crypto.subtle.verify('HMAC', key, digestIn(header), body)
}
