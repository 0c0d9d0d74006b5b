/** One request sent once on one connection, and everything received until it ended or we disconnected. */
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Clock } from './clock.ts'
import type { Connection } from './connections.ts'
import type { Chunk, Header, Received, SentRequest } from './exchange.ts'
import { failureOf, isUnsendable, type Failure, type AttemptPhase } from './failure.ts'

export interface Limits {
  /** For the whole answer, from now on. */
  timeoutMs: number
  /** From the first byte sent. */
  abortAfterMs?: number | undefined
  /** Bytes of the body received. */
  abortAfterBytes?: number | undefined
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

/** More of one body than any answer of the service needs; beyond it we go away rather than run out of memory. */
const mostBodyBytes = 64 * 1024 * 1024

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
    let kept = false
    let received = false

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

    after(limits.timeoutMs, timedOut(limits.timeoutMs))
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
        if (status >= 200) answer.begin(status, headersOf(controller.rawHeaders))
      },
      onResponseData(_controller, bytes) {
        if (over.signal.aborted) return
        const most = limits.abortAfterBytes ?? mostBodyBytes
        if (answer.add(bytes) >= most) end(aborted(`${most} bytes of the body`))
      },
      onResponseEnd() {
        end(null)
      },
      onResponseError(_controller, error) {
        if (isUnsendable(error)) {
          over.abort('over')
          reject(new Error(`${request.method} ${request.path} cannot be sent: ${error.message}`))
        } else end(failureOf(error, phase()))
      },
    })
  })
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

function timedOut(ms: number): Failure {
  return { kind: 'timeout', message: `no whole answer within ${ms} ms` }
}

function aborted(after: string): Failure {
  return { kind: 'aborted', message: `we went away after ${after}` }
}

interface Listener {
  begin(status: number, headers: readonly Header[]): void
  /** Whether the headers have come. */
  begun(): boolean
  /** Returns the bytes of the body so far. */
  add(bytes: Uint8Array): number
  end(complete: boolean): Received | null
}

function listen(clock: Clock): Listener {
  let head: { status: number; headers: readonly Header[]; at: number } | null = null
  let length = 0
  const chunks: Chunk[] = []
  let read: { at: number; parts: Uint8Array[] } | null = null

  /** The parts of one network read arrive in one synchronous run; the next microtask is after it. */
  function close(): void {
    if (read) chunks.push({ at: read.at, bytes: new Uint8Array(Buffer.concat(read.parts)) })
    read = null
  }

  return {
    begin(status, headers) {
      head = { status, headers, at: clock.now() }
    },
    begun: () => head !== null,
    add(bytes) {
      if (!read) {
        read = { at: clock.now(), parts: [] }
        queueMicrotask(close)
      }
      read.parts.push(bytes)
      length += bytes.byteLength
      return length
    },
    end(complete) {
      close()
      return head && { ...head, chunks, complete }
    },
  }
}

/** Names and values alternate. A byte is a character: other than ASCII stays unchanged. */
function headersOf(raw: Dispatcher.DispatchController['rawHeaders']): readonly Header[] {
  if (!Array.isArray(raw)) return []
  const words = raw.map((word) => (typeof word === 'string' ? word : word.toString('latin1')))
  return Array.from({ length: words.length / 2 }, (_, i): Header => [
    words[2 * i] ?? '',
    words[2 * i + 1] ?? '',
  ])
}
