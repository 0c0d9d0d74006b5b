/** Bytes as they are handed in, also those of another realm, of which nothing is an instance here. */

const isBuffer = (value: unknown): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === '[object ArrayBuffer]'

/** Null for what is no bytes. */
export function bytesOf(value: unknown): Uint8Array | null {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return isBuffer(value) ? new Uint8Array(value) : null
}
