/** HMAC-SHA256 by the openssl command: a third tool, so that no code of ours vouches for itself. */
import { execFileSync } from 'node:child_process'

/** The digest in small hex digits. An empty secret is one zero byte: HMAC fills a key up with those. */
export function opensslDigest(body: Uint8Array, secret: string): string {
  const key = Buffer.from(secret).toString('hex') || '00'
  const words = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`]
  const printed = execFileSync('openssl', words, { input: body, encoding: 'utf8' })
  const [digest] = /[0-9a-f]{64}/.exec(printed) ?? []
  if (digest === undefined) throw new Error(`openssl ${words.join(' ')} printed no digest: ${printed}`)
  return digest
}
