/** A request that is not answered yet, or not to the end. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../wire/clock.ts'
import type { Header } from '../wire/exchange.ts'
import type { InboundAnswer, Answered } from './inbox.ts'

export interface Pending {
  readonly done: Promise<Answered>
  give(answer: InboundAnswer): void
  /** Gives this answer, where it was to be held. */
  release(answer: InboundAnswer): void
  /** Ends its connection without another byte. */
  drop(): void
}

type Whole = Exclude<InboundAnswer, string>

/** How often a body without an end gets another byte, so that nobody takes its connection for idle. */
const dripMs = 1_000
const text = new TextDecoder()

export function createPending(response: ServerResponse, clock: Clock): Pending {
  let went: Pick<Answered, 'status' | 'headers' | 'body'> = { status: null, headers: [], body: '' }
  let held = false
  let droppedByUs = false
  const over = new AbortController()

  const done = new Promise<Answered>((resolve) => {
    const end = (how: Answered['end']): void => {
      over.abort('over')
      resolve({ ...went, at: clock.now(), end: how })
    }
    response.once('finish', () => end('answered'))
    response.once('close', () => end(droppedByUs ? 'closed' : 'gone'))
  })

  /** The connection may be lost already; then `close` reports it. */
  function write({ status, headers = [], body = '' }: Whole, whole: boolean): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const sized =
      whole &&
      !bodiless(status) &&
      !headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
    const all: readonly Header[] = sized ? [...headers, ['Content-Length', `${bytes.length}`]] : headers
    went = { status, headers: all, body: text.decode(bytes) }
    response.sendDate = false
    response.writeHead(status, all.flat())
    if (whole) response.end(bytes)
    else response.flushHeaders()
  }

  async function drip(): Promise<void> {
    write({ status: 200 }, false)
    while (!over.signal.aborted) {
      response.write(' ')
      await clock.sleep(dripMs, over.signal)
    }
  }

  function drop(): void {
    droppedByUs = true
    response.socket?.resetAndDestroy()
  }

  function give(answer: InboundAnswer): void {
    held = answer === 'hold'
    if (typeof answer === 'object') write(answer, true)
    else if (answer === 'drip') void drip()
    else if (answer === 'close') drop()
  }

  return { done, give, release: (answer) => void (held && give(answer)), drop }
}

function bodiless(status: number): boolean {
  return status < 200 || status === 204 || status === 304
}
