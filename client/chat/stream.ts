/** One message, its reply as events. */
import { afterDelay } from '../http/clock.ts'
import { checkSize } from '../http/bounded.ts'
import { turnRequestOf, type ChatTurn } from './chat-turn.ts'
import { replyFrom } from './chat.ts'
import { StreamIncomplete } from '../errors.ts'
import { createEventReader } from './event-reader.ts'
import { doneOf, eventsIn, givenEvent, type StreamEvent, type WireEvent } from './events.ts'
import { serviceErrorOf } from '../http/refusal.ts'
import { resending } from '../http/resend.ts'
import {
  isSuccess,
  wholeOf,
  type ServiceRequest,
  type OpenedResponse,
  type Transport,
} from '../http/transport.ts'

const failed = 'What the turn came to is not said: send the same request again with the same key.'
const resend = 'This is no reply: send the same request again with the same key.'

/** A service may answer as if no stream had been asked for. */
const isJson = (headers: Headers): boolean =>
  /^\s*application\/(.+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '')

/** Up to its end. Time counts while they are waited for, and not while the caller is busy with the last one. */
async function* chunksOf({
  response,
  inactivity,
}: OpenedResponse): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader()
  const cancel = (): void => void reader?.cancel().catch(() => undefined)
  // A `fetch` that was handed in may know nothing of signals.
  inactivity.signal.addEventListener('abort', cancel, { once: true })
  const next = async () => {
    inactivity.renew()
    const read = await reader?.read()
    inactivity.rest()
    inactivity.signal.throwIfAborted()
    return read
  }
  try {
    for (let read = await next(); read && !read.done; read = await next()) yield read.value
  } finally {
    cancel()
  }
}

function incomplete(error: unknown, { inactivity }: OpenedResponse, ask: ServiceRequest): unknown {
  if (ask.signal?.aborted) return ask.signal.reason
  const broke = error instanceof RangeError ? error.message : 'the connection broke'
  const why = inactivity.isOver ? 'nothing came for too long' : broke
  return new StreamIncomplete(`The stream broke off before \`done\`: ${why}.`, resend, error)
}

async function* wireEvents(
  opened: OpenedResponse,
  ask: ServiceRequest,
): AsyncGenerator<WireEvent, void, undefined> {
  const reader = createEventReader()
  try {
    let bytes = 0
    for await (const chunk of chunksOf(opened)) {
      const events = reader.push(chunk).flatMap(eventsIn)
      bytes = events.length > 0 ? 0 : bytes + chunk.length
      checkSize(bytes)
      yield* events
    }
  } catch (error) {
    throw incomplete(error, opened, ask)
  }
}

/** How long the end of a stream may take to come behind `done`, in ms; then the connection is dropped. */
const lastMs = 500

/** Reads what is left, so that the connection can be used again. Nothing of it counts any more. */
async function finish(opened: OpenedResponse, events: AsyncIterator<WireEvent>): Promise<void> {
  const forget = afterDelay(lastMs, () => opened.inactivity.end())
  try {
    for (let next = await events.next(); !next.done;) next = await events.next()
  } catch {
    // The reply is whole, however the connection ends.
  } finally {
    forget()
  }
}

async function* streamed(
  opened: OpenedResponse,
  ask: ServiceRequest,
  replayHeader: string,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { response } = opened
  const events = wireEvents(opened, ask)
  for (let next = await events.next(); !next.done; next = await events.next()) {
    const event = next.value
    if (event.type === 'error')
      throw serviceErrorOf({ status: response.status, headers: response.headers, body: event }, failed)
    if (event.type === 'done') {
      const { status, headers } = response
      yield doneOf(replyFrom({ status, headers, body: event }, replayHeader))
      return finish(opened, events)
    }
    yield givenEvent(event)
  }
  throw new StreamIncomplete('The stream ended before `done`.', resend)
}

/** What is not a stream is read whole: a refusal is thrown, a reply is one `done`. */
async function* whole(
  opened: OpenedResponse,
  ask: ServiceRequest,
  replayHeader: string,
): AsyncGenerator<StreamEvent, void, undefined> {
  yield doneOf(replyFrom(await wholeOf(opened, ask), replayHeader))
}

async function openStream(transport: Transport, ask: ServiceRequest): Promise<OpenedResponse> {
  const opened = await transport.open(ask)
  if (isSuccess(opened.response)) return opened
  throw serviceErrorOf(await wholeOf(opened, ask))
}

/** Nothing is sent before the first event is asked for; whoever stops asking ends the request. */
export async function* streamMessage(
  transport: Transport,
  turn: ChatTurn,
): AsyncGenerator<StreamEvent, void, undefined> {
  const ask = turnRequestOf(turn, true)
  const opened = await resending(() => openStream(transport, ask), turn.resendInProgress, turn.signal)
  try {
    const events = isJson(opened.response.headers) ? whole : streamed
    yield* events(opened, ask, transport.replayHeader)
  } finally {
    opened.inactivity.end()
  }
}
