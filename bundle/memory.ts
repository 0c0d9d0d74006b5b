/** For runs of which more is recorded than should be in memory. */
import { openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { joined, sharedText } from './chunks.ts'
import type { Exchange, Header } from './exchange.ts'

/**
 * For a process that reads megabytes from outside: by default its garbage takes a multiple of that before it is collected.
 * Called before most modules are loaded, it saves another 50 MB.
 */
export function collectGarbageEarly(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=20']) setFlagsFromString(flag)
}

/** Bytes that are read at once: most exchanges are read one after the other. */
const window = 1 << 18
/** Heads that were read last: a judge reads one several times, or compares two. */
const mostHeads = 256

/** What stands in the file before the two bodies of an exchange, after its length. */
interface Head {
  sent: readonly Header[]
  body: number
  headers: readonly Header[]
  /** Times and sizes. */
  reads: readonly (readonly [at: number, bytes: number])[]
  /** Where it ends in the file. */
  end: number
}

const sizeOfLength = 4

/** A file without a name, which goes with the process. */
function openSpool(folder: string) {
  const name = join(folder, `.spool-${process.pid}`)
  const file = openSync(name, 'wx+')
  unlinkSync(name)
  const buffer = Buffer.allocUnsafeSlow(window)
  let [size, seen, seenFrom] = [0, buffer.subarray(0, 0), 0]
  const heads = new Map<number, Head>()

  /** To be read before the next are. */
  function bytesAt(from: number, length: number): Buffer {
    if (from < seenFrom || from + length > seenFrom + seen.length) {
      const room = length > window / 2 ? Buffer.allocUnsafeSlow(length) : buffer
      // With what is before it, as one part is asked for after another.
      seenFrom = room === buffer ? from - (from % (window / 2)) : from
      // Not what is behind the last whole record: a write that failed left it, and the next one replaces it.
      const most = Math.min(room.length, size - seenFrom)
      seen = room.subarray(0, readSync(file, room, 0, most, seenFrom))
    }
    return seen.subarray(from - seenFrom, from - seenFrom + length)
  }
  function headAt(from: number): Head {
    const known = heads.get(from)
    if (known) return known
    const length = bytesAt(from, sizeOfLength).readUInt32LE()
    const written = JSON.parse(bytesAt(from + sizeOfLength, length).toString()) as Head
    const head = { ...written, end: from + sizeOfLength + length }
    if (heads.size === mostHeads) heads.clear()
    heads.set(from, head)
    return head
  }
  /** Where it stands, or null where the disk does not take it. */
  function write({ request, response }: Exchange): number | null {
    const { headers = [], chunks = [] } = response ?? {}
    const reads = chunks.map(({ at, bytes }) => [at, bytes.length])
    const head = Buffer.from(
      JSON.stringify({ sent: request.headers, body: request.body.length, headers, reads }),
    )
    const length = Buffer.alloc(sizeOfLength)
    length.writeUInt32LE(head.length)
    const record = Buffer.concat([length, head, request.body, joined(chunks)])
    try {
      for (let at = 0; at < record.length;) at += writeSync(file, record, at, record.length - at, size + at)
    } catch {
      return null
    }
    size += record.length
    return size - record.length
  }
  return { bytesAt, headAt, write }
}

/** One side. Its members are its own, so that a copy has them all; the getters are common to all. */
class Side {
  readonly #from: number
  constructor(given: object, from: number, lazy: PropertyDescriptorMap) {
    this.#from = from
    for (const [name, one] of Object.entries(given)) {
      const value: unknown = typeof one === 'string' ? sharedText(one) : one
      Object.defineProperty(this, name, lazy[name] ?? { value, enumerable: true })
    }
  }
  static readonly lazily = (read: (from: number) => unknown): PropertyDescriptor => ({
    enumerable: true,
    get(this: Side) {
      return read(this.#from)
    },
  })
}

/**
 * Gives an exchange, to be read only, of which headers and bodies are in a file, and read again whenever they are asked
 * for: some hundred bytes of it are in memory. What the disk does not take stays as it is. `folder`: of the file.
 */
export function createSpool(folder: string): (exchange: Exchange) => Exchange {
  const spool = openSpool(folder)
  const sent = {
    headers: Side.lazily((from) => spool.headAt(from).sent),
    body: Side.lazily((from) => Buffer.from(spool.bytesAt(spool.headAt(from).end, spool.headAt(from).body))),
  }
  const received = {
    headers: Side.lazily((from) => spool.headAt(from).headers),
    chunks: Side.lazily((from) => {
      const { end, body, reads } = spool.headAt(from)
      const whole = reads.reduce((sum, [, length]) => sum + length, 0)
      const bytes = Buffer.from(spool.bytesAt(end + body, whole))
      let read = 0
      return reads.map(([at, length]) => ({ at, bytes: bytes.subarray(read, (read += length)) }))
    }),
  }
  return (exchange) => {
    const from = spool.write(exchange)
    if (from === null) return exchange
    const { request, response } = exchange
    return {
      ...exchange,
      request: new Side(request, from, sent) as unknown as Exchange['request'],
      response: response && (new Side(response, from, received) as unknown as Exchange['response']),
    }
  }
}
