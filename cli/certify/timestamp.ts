/** Trusted time of a file by RFC 3161: a request with its SHA-256, and the reply of a time-stamp server as it came. */
import { createHash, randomBytes } from 'node:crypto'
import { UsageError } from '../usage-error.ts'

/** DER before the digest: version 1, and SHA-256 as the algorithm. */
const beforeDigest = Buffer.from('020101303130 0d06096086480165030402010500 0420'.replaceAll(' ', ''), 'hex')
/** DER after the nonce: the certificate of the server is wanted in the reply. */
const afterNonce = Buffer.from('0101ff', 'hex')
/** Milliseconds. */
const timeout = 30_000
/** Bytes. */
const most = 1 << 20

/** The TimeStampReq. `nonce`: eight bytes, the first from 1 to 127. */
export function requestFor(content: Uint8Array, nonce: Uint8Array): Buffer {
  const digest = createHash('sha256').update(content).digest()
  const inner = Buffer.concat([beforeDigest, digest, Buffer.from([0x02, nonce.length]), nonce, afterNonce])
  return Buffer.concat([Buffer.from([0x30, inner.length]), inner])
}

/** The TimeStampResp. Throws a UsageError if the server grants none for this content. */
export async function timestampOf(content: Uint8Array, url: string): Promise<Uint8Array> {
  const nonce = randomBytes(8)
  nonce[0] = ((nonce[0] ?? 0) % 127) + 1
  const request = requestFor(content, nonce)
  const reply = await replyOf(url, request)
  const digest = createHash('sha256').update(content).digest()
  if (!isGranted(reply) || !reply.includes(digest) || !reply.includes(nonce))
    throw new UsageError(`--timestamp ${url}: the reply is no time stamp of this result; try another server.`)
  return reply
}

async function replyOf(url: string, request: Buffer): Promise<Buffer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/timestamp-query' },
      body: new Uint8Array(request),
      signal: AbortSignal.timeout(timeout),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.ok && bytes.length <= most) return bytes
    throw new Error(`status ${response.status}, ${bytes.length} bytes`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`--timestamp ${url}: no time stamp (${why}); check the address, or leave it away.`)
  }
}

/** The first member of a TimeStampResp is its status: SEQUENCE { INTEGER 0 or 1 … }. */
function isGranted(reply: Buffer): boolean {
  if (reply[0] !== 0x30) return false
  const lengthBytes = (reply[1] ?? 0) < 0x80 ? 1 : 1 + ((reply[1] ?? 0) & 0x7f)
  const at = 1 + lengthBytes
  return reply[at] === 0x30 && reply[at + 2] === 0x02 && reply[at + 3] === 1 && (reply[at + 4] ?? 9) <= 1
}
