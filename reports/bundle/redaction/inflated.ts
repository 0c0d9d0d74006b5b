/** What a body says that came compressed, although none was asked for. */
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { Received } from '../exchange.ts'

type Reading = (bytes: Uint8Array) => Uint8Array

/** Of more than this nobody waits for the rest; of a body that broke off, what there is. */
const most = { maxOutputLength: 1 << 26, finishFlush: constants.Z_SYNC_FLUSH }
const ofBrotli = { maxOutputLength: 1 << 26, finishFlush: constants.BROTLI_OPERATION_FLUSH }

const ways: readonly (readonly [RegExp, Reading])[] = [
  [/gzip/, (bytes) => gunzipSync(bytes, most)],
  [/deflate/, (bytes) => inflateSync(bytes, most)],
  [/deflate/, (bytes) => inflateRawSync(bytes, most)],
  [/br/, (bytes) => brotliDecompressSync(bytes, ofBrotli)],
]

/** Null of what is not compressed, and of what cannot be read as it says. */
export function inflated({ headers, chunks }: Received): Uint8Array | null {
  const said = headers.filter(([name]) => name.toLowerCase() === 'content-encoding').map(([, value]) => value)
  if (said.length === 0) return null
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes))
  for (const [name, read] of ways) {
    if (!name.test(said.join().toLowerCase())) continue
    try {
      return read(bytes)
    } catch {
      // Perhaps it is in another way.
    }
  }
  return null
}
