/** Signs what is delivered. */
import type * as Crypto from 'node:crypto'

/** Asked for at the first delivery: a simulator without webhooks starts without it. */
const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto')

/** HMAC-SHA256 in hexadecimal digits; the key is the secret as UTF-8, which as a text costs a quarter of a buffer. */
export function hmacHex(body: Uint8Array, secret: string): string {
  return crypto().createHmac('sha256', secret).update(body).digest('hex')
}

export const signature = (body: Uint8Array, secret: string): string => `sha256=${hmacHex(body, secret)}`

/** The same value in capital letters. */
export const capitalSignature = (body: Uint8Array, secret: string): string =>
  `sha256=${hmacHex(body, secret).toUpperCase()}`
