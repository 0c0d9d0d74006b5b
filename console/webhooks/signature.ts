/** The signature of a delivery, as a receiver computes it. */
const encoder = new TextEncoder()

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** HMAC-SHA256 over the bytes of the body, as the signature header has it. */
export async function signatureOf(secret: string, body: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  return `sha256=${hex(await crypto.subtle.sign('HMAC', key, encoder.encode(body)))}`
}
