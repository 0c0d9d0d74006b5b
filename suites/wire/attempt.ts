/** One request sent once on one connection, and everything received until it ended or we disconnected. */
import { packed } from '../../bundle/chunks.ts'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Meter, CountedParts } from './budget/spending.ts'
import { sleepAwake, type Clock } from './clock.ts'
import type { Connection } from './connections.ts'
import type { Chunk, Header, Received, SentRequest } from './exchange.ts'
import { failureOf, isUnsendable, type Failure, type AttemptPhase } from './failure.ts'

/** What the end of a run finds under way has so long to end by itself: no request is cut in the middle of its body. */
export const lastMs = 500

export interface Limits {
  /** For the whole answer, from now on. */
  timeoutMs: number
  /** From the first byte sent. */
  abortAfterMs?: number | undefined
  /** Bytes of the body received. */
  abortAfterBytes?: number | undefined
  /** Counts what is received, and says where to cut it. */
  meter: Meter
  /** What is left of the run, from now on, in milliseconds, and in words. */
  rest: { ms: number; words: string }
}

export interface AttemptResult {
  /** When the first byte was sent; null if none was. */
  sentAt: number | null
  endedAt: number
  response: Received | null
  failure: Failure | null
  /** It went out on a connection that was open before, and no byte of a response was received. */
  unanswered: boolean
}

/** Never rejects for what the target does; rejects when the request cannot be written as HTTP. */
export function attempt(
  connection: Connection,
  request: SentRequest,
  limits: Limits,
  clock: Clock,
): Promise<AttemptResult> {
  return new Promise((resolve, reject) => {
    const over = new AbortController()
    const answer = listen(clock)
    let sentAt: number | null = null
    let [kept, received] = [false, false]

    function end(failure: Failure | null): void {
      if (over.signal.aborted) return
      over.abort('over')
      const response = answer.end(failure === null)
      resolve({ sentAt, endedAt: clock.now(), response, failure, unanswered: kept && !received })
    }
    function after(ms: number, failure: Failure): void {
      void clock.sleep(ms, over.signal).then(() => end(failure))
    }

    const phase = (): AttemptPhase =>
      sentAt === null ? 'connecting' : answer.begun() ? 'answering' : 'waiting'

    function cutFor(because: string | null): void {
      if (because !== null) end(cut(because))
    }

    const message = `no whole answer within ${limits.timeoutMs} ms`
    void sleepAwake(limits.timeoutMs, clock, over.signal).then(() => end({ kind: 'timeout', message }))
    if (limits.rest.ms < 2 * limits.timeoutMs) after(Math.max(limits.rest.ms, lastMs), cut(limits.rest.words))
    connection.client.dispatch(options(request, clock), {
      onRequestStart() {
        sentAt = clock.now()
        kept = connection.kept
        if (limits.abortAfterMs !== undefined)
          after(limits.abortAfterMs, aborted(`${limits.abortAfterMs} ms`))
      },
      onResponseStarted() {
        received = true
      },
      onResponseStart(controller, status) {
        const { http, headers } = headersIn(controller.rawHeaders)
        if (status >= 200) answer.begin({ status, ...http, headers })
        cutFor(limits.meter(headers.flat().join('').length, { lines: headers.length }))
      },
      onResponseData(_controller, bytes) {
        if (over.signal.aborted) return
        const { abortAfterBytes: most = Infinity } = limits
        const because = limits.meter(bytes.byteLength, partsIn(bytes))
        if (answer.add(recordedOf(bytes, because)) >= most) end(aborted(`${most} bytes of the body`))
        cutFor(because)
      },
      onResponseEnd: () => end(null),
      onResponseError(_controller, error) {
        if (isUnsendable(error)) {
          over.abort('over')
          reject(new Error(`${request.method} ${request.path} cannot be sent: ${error.message}`))
        } else end(failureOf(error, phase()))
      },
    })
  })
}

/** Of the read that passes a limit only the beginning: the whole of it can have more lines than many responses. */
const recordedOf = (read: Uint8Array, because: string | null): Uint8Array =>
  because === null ? read : read.subarray(0, 4_096)

function partsIn(bytes: Uint8Array): CountedParts {
  const parts = { lines: 0, values: 0 }
  // A loop: this runs for every byte that is received.
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    // CR and LF end one line.
    if (byte === 0x0a || (byte === 0x0d && bytes[i + 1] !== 0x0a)) parts.lines++
    // Values are separated by commas.
    else if (byte === 0x2c) parts.values++
  }
  return parts
}

/** Long enough for the other end to read what was written first by itself. */
const betweenWritesMs = 25

function options(request: SentRequest, clock: Clock): Dispatcher.DispatchOptions {
  const { method, path, body, splitAt } = request
  const headers = request.headers.flat()
  if (splitAt === undefined) return { method, path, headers, body: body.byteLength > 0 ? body : null }
  headers.push('content-length', String(body.byteLength))
  return { method, path, headers, body: Readable.from(inTwo(body, splitAt, clock)) }
}

async function* inTwo(body: Uint8Array, splitAt: number, clock: Clock): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, splitAt)
  await clock.sleep(betweenWritesMs)
  yield body.subarray(splitAt)
}

function cut(because: string): Failure {
  return { kind: 'cut', message: `the response was cut: ${because}` }
}

function aborted(after: string): Failure {
  return { kind: 'aborted', message: `we went away after ${after}` }
}

type Head = Omit<Received, 'chunks' | 'complete'>

interface Listener {
  begin(head: Omit<Head, 'at'>): void
  begun(): boolean
  /** Returns the bytes of the body so far. */
  add(bytes: Uint8Array): number
  end(complete: boolean): Received | null
}

/** What is read after so many reads is one. */
const mostReads = 20_000

function listen(clock: Clock): Listener {
  let head: Head | null = null
  let length = 0
  const chunks: Chunk[] = []
  let read: { at: number; parts: Uint8Array[] } | null = null

  /** The parts of one network read arrive in one synchronous run; the next microtask is after it. */
  function close(isLast = false): void {
    if (chunks.length >= mostReads && !isLast) return
    if (read) chunks.push({ at: read.at, bytes: Buffer.concat(read.parts) })
    read = null
  }

  return {
    begin(given) {
      head = { ...given, at: clock.now() }
    },
    begun: () => head !== null,
    add(bytes) {
      if (!read) {
        read = { at: clock.now(), parts: [] }
        queueMicrotask(() => close())
      }
      read.parts.push(bytes)
      length += bytes.byteLength
      return length
    },
    end(complete) {
      close(true)
      return head && { ...head, chunks: packed(chunks), complete }
    },
  }
}

/**
 * Names and values alternate, but of HTTP/2, where each name has its value or values. A byte is a character: other than ASCII stays unchanged. White space after a value is no
 * part of it (RFC 9110, 5.5).
 */
function headersIn(raw: Dispatcher.DispatchController['rawHeaders']) {
  if (!Array.isArray(raw)) {
    const pairs = Object.entries(raw ?? {}).filter(([name]) => !name.startsWith(':'))
    const headers = pairs.flatMap(([name, values = []]) => [values].flat().map((one): Header => [name, one]))
    return { http: { http: 2 as const }, headers }
  }
  const words = raw.map((word) => (typeof word === 'string' ? word : word.toString('latin1')))
  const valueAt = (i: number): string => withoutSpaceAfter(words[2 * i + 1] ?? '')
  return {
    headers: Array.from({ length: words.length / 2 }, (_, i): Header => [words[2 * i] ?? '', valueAt(i)]),
  }
}

/** No pattern: it would look at 64 KB of spaces within a value once for each of them. */
function withoutSpaceAfter(value: string): string {
  let end = value.length
  while (value[end - 1] === ' ' || value[end - 1] === '\t') end--
  return value.slice(0, end)
}
