/** Finds where answers on a socket end, as cheaply as can be: for servers whose framing is known to be right. */

const chunkedEnd = Buffer.from('0\r\n\r\n')

/**
 * Takes what comes in on one socket, of which never more than one answer is under way, and calls back with its status
 * at its end. Throws on an answer that has neither a length nor chunks.
 */
export function createAnswers(ended: (status: number) => void): (bytes: Buffer) => void {
  let head = ''
  let status = 0
  /** Bytes that are still to come; Infinity: until the last chunk. */
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
    const told = status
    status = 0
    ended(told)
  }
}

function lengthOf(fields: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(fields)
  if (length) return Number(length[1])
  if (/\r\ntransfer-encoding: *chunked/i.test(fields)) return Infinity
  throw new Error(`an answer says neither how long it is nor that it comes in chunks: ${fields}`)
}
