/** Signs what a receiver is to believe, apart from the code that signs in the simulator. */
import { createHmac } from 'node:crypto'

/** HMAC-SHA256 in small hexadecimal digits; the key is the secret as UTF-8. */
export function hmacHex(body: Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

export const signatureOf = (body: Uint8Array, secret: string): string => `sha256=${hmacHex(body, secret)}`
