/** A minimal parser that finds where HTTP responses end, for servers whose framing is known to be correct. */

const chunkedEnd = Buffer.from('0\r\n\r\n')

/**
 * Reads the bytes of one connection with at most one request in flight and reports the status at the end of each
 * response. Throws on a response that is neither delimited by length nor chunked.
 */
export function createResponseReader(ended: (status: number) => void): (bytes: Buffer) => void {
  let head = ''
  let status = 0
  /** Remaining bytes of the body; `Infinity` until the last chunk. */
  let left = 0
  let tail: Buffer = Buffer.alloc(0)

  const begin = (bytes: Buffer): Buffer | undefined => {
    const before = head.length
    head += bytes.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return undefined
    const fields = head.slice(0, end)
    status = Number(fields.slice(9, 12))
    left = lengthOf(fields)
    head = ''
    tail = Buffer.alloc(0)
    return bytes.subarray(end + 4 - before)
  }
  const isLast = (bytes: Buffer): boolean => {
    tail = bytes.length >= chunkedEnd.length ? bytes : Buffer.concat([tail, bytes])
    tail = tail.subarray(-chunkedEnd.length)
    return tail.equals(chunkedEnd)
  }
  return (bytes) => {
    const body = status === 0 ? begin(bytes) : bytes
    if (body === undefined) return
    left -= body.length
    if (left > 0 && !(left === Infinity && isLast(body))) return
    const endedStatus = status
    status = 0
    ended(endedStatus)
  }
}

function lengthOf(fields: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(fields)
  if (length) return Number(length[1])
  if (/\r\ntransfer-encoding: *chunked/i.test(fields)) return Infinity
  throw new Error(`response with neither Content-Length nor chunked Transfer-Encoding: ${fields}`)
}
