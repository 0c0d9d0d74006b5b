/** Server-Sent Events, read with `fetch`: an `EventSource` sends no token. */
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream'
import { admitted, authorization } from './api.ts'
import { messageOf } from './notices.ts'

/** Rejects with Refused where the response is not a success, and with a TypeError where there is none. */
export async function openEvents(
  url: string,
  signal: AbortSignal,
  lastEventId?: string,
): Promise<ReadableStream<EventSourceMessage>> {
  const headers = {
    ...authorization(),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  }
  const { body } = await admitted(await fetch(url, { headers, signal }))
  if (!body) throw new Error('The response has no body.')
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
}

const retryMs = 1_000
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Follows a stream, and again after each break, until the result is called. */
export function followEvents(
  follow: (signal: AbortSignal) => Promise<void>,
  onProblem: (problem: string) => void,
): () => void {
  const ended = new AbortController()
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      try {
        await follow(ended.signal)
      } catch (error) {
        if (!ended.signal.aborted) onProblem(messageOf(error))
      }
      await pause(retryMs)
    }
  }
  void run()
  return () => ended.abort()
}
