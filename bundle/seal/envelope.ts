/** DSSE: a signature over bytes and the name of their type. */
import { createHash, sign, verify, type KeyObject } from 'node:crypto'

export interface SignedEnvelope {
  payloadType: string
  /** Base64. */
  payload: string
  /** `sig` in base64; `keyid` is a hint that nothing vouches for. */
  signatures: readonly { keyid?: string; sig: string }[]
}

/** What is signed: the type and the bytes, each with its length before it, so that neither can pass for the other. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const lengthOfType = Buffer.byteLength(payloadType)
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${lengthOfType} ${payloadType} ${payload.length} `),
    Buffer.from(payload),
  ])
}

export interface Signer {
  /** SHA-256, hex, over the public half in SPKI DER. */
  keyid: string
  sign: (bytes: Uint8Array) => Uint8Array
}

export const signerOf = (keyid: string, key: KeyObject): Signer => ({
  keyid,
  sign: (bytes) => sign(null, bytes, key),
})

export function envelopeOf(
  payloadType: string,
  payload: Uint8Array,
  { keyid, sign }: Signer,
): SignedEnvelope {
  const sig = Buffer.from(sign(preAuthEncoding(payloadType, payload))).toString('base64')
  return { payloadType, payload: Buffer.from(payload).toString('base64'), signatures: [{ keyid, sig }] }
}

export function payloadOf({ payload }: Pick<SignedEnvelope, 'payload'>): Uint8Array {
  return Buffer.from(payload, 'base64')
}

/** Whether one of the signatures is of this key; the hints are not looked at. */
export function isSignedBy(envelope: SignedEnvelope, key: KeyObject): boolean {
  const bytes = preAuthEncoding(envelope.payloadType, payloadOf(envelope))
  return envelope.signatures.some(({ sig }) => verify(null, bytes, key, Buffer.from(sig, 'base64')))
}

/** Null for what is no envelope. */
export function asEnvelope(value: unknown): SignedEnvelope | null {
  if (typeof value !== 'object' || value === null) return null
  const { payloadType, payload, signatures } = value as Partial<Record<keyof SignedEnvelope, unknown>>
  if (typeof payloadType !== 'string' || !isBase64(payload)) return null
  if (!Array.isArray(signatures) || signatures.length === 0 || !signatures.every(isSignature)) return null
  return { payloadType, payload, signatures }
}

function isSignature(value: unknown): value is SignedEnvelope['signatures'][number] {
  if (typeof value !== 'object' || value === null) return false
  const { keyid, sig } = value as { keyid?: unknown; sig?: unknown }
  return isBase64(sig) && (keyid === undefined || typeof keyid === 'string')
}

/** In either alphabet. A lenient reader takes more, and a strict one would then find another signature than we do. */
function isBase64(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[A-Za-z0-9+/]+={0,2}|[\w-]+={0,2})$/.test(value)
}

/** SHA-256, hex, over the key in SPKI DER. */
export function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}
