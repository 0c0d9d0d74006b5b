/** Bodies that came compressed, although that was not asked for. */
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

/** The bytes of the body. Null where it is not compressed, or not as its header says. `too large`: nothing is known of it. */
export function decompressed({ headers, chunks }: Received): Uint8Array | 'too large' | null {
  const encoding = headers.filter(([name]) => name.toLowerCase() === 'content-encoding').join()
  if (encoding === '') return null
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes))
  for (const [, read] of readers.filter(([name]) => name.test(encoding)))
    try {
      return read(bytes)
    } catch (error) {
      // Perhaps another reader fits.
      if (isTooLarge(error)) return 'too large'
    }
  return null
}
