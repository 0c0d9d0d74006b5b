/** Bodies that came compressed, although that was not asked for. */
import { joined } from '../chunks.ts'
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { Received } from '../exchange.ts'
import { isTooLarge } from './decoded.ts'

/** Of more than this nothing is read; of a body that broke off, what there is. */
const maxOutputLength = 1 << 22
const zlib = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }
const brotli = { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }

const readers: readonly (readonly [RegExp, (bytes: Uint8Array) => Buffer])[] = [
  [/gzip/i, (bytes) => gunzipSync(bytes, zlib)],
  [/deflate/i, (bytes) => inflateSync(bytes, zlib)],
  [/deflate/i, (bytes) => inflateRawSync(bytes, zlib)],
  [/br/i, (bytes) => brotliDecompressSync(bytes, brotli)],
]

/** How often a body may be compressed by gzip beyond what its header says. */
const mostUnsaid = 3
const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * The bytes of the body. Null where it is not compressed, or not as its header says. `too large`, or compressed too often:
 * nothing is known of it.
 */
export function decompressed({ headers, chunks }: Received): Uint8Array | 'too large' | null {
  const encoding = headers.filter(([name]) => name.toLowerCase() === 'content-encoding').join()
  const given: Uint8Array = joined(chunks)
  let bytes = given
  // The compression that was applied last is named last.
  const named = encoding.split(',').toReversed()
  for (let at = 0; at < named.length || isGzip(bytes); at++) {
    if (at === named.length + mostUnsaid) return 'too large'
    const inner = readAs(named[at] ?? 'gzip', bytes)
    if (inner === 'too large') return inner
    if (inner === null && at >= named.length) break
    bytes = inner ?? bytes
  }
  return bytes === given ? null : bytes
}

function readAs(encoding: string, bytes: Uint8Array): Uint8Array | 'too large' | null {
  for (const [, read] of readers.filter(([name]) => name.test(encoding)))
    try {
      return read(bytes)
    } catch (error) {
      // Perhaps another reader fits.
      if (isTooLarge(error)) return 'too large'
    }
  return null
}
