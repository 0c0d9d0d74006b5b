/** Programs that verify one delivery, in two languages: over its raw bytes, in constant time. */
export interface SignedBody {
  readonly bodyBase64: string
  readonly signature: string
}

type Form = (delivery: SignedBody) => string

/** Every text of JSON is one of these languages, too. */
const quoted = (text: string): string => JSON.stringify(text)

const python: Form = ({ bodyBase64, signature }) => `# Run: WEBHOOK_SECRET=whsec_… python3 verify.py
import base64
import hashlib
import hmac
import os


def is_genuine(body: bytes, given: str, secret: str) -> bool:
    """body: the raw bytes, before any JSON parser."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(given.encode("latin-1"), expected.encode())


body = base64.b64decode(${quoted(bodyBase64)})
given = ${quoted(signature)}
print("genuine" if is_genuine(body, given, os.environ["WEBHOOK_SECRET"]) else "forged")
`

const node: Form = ({ bodyBase64, signature }) => `// Run: WEBHOOK_SECRET=whsec_… node verify.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'

/** body: a Buffer with the raw bytes, before any JSON parser. */
function isGenuine(body, given, secret) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'))
  const sent = Buffer.from(given, 'latin1')
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

const body = Buffer.from(${quoted(bodyBase64)}, 'base64')
const given = ${quoted(signature)}
console.log(isGenuine(body, given, process.env.WEBHOOK_SECRET) ? 'genuine' : 'forged')
`

export const verifyForms: Readonly<Record<string, Form>> = {
  Node: node,
  Python: python,
}
