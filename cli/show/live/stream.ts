/** A feed as Server-Sent Events. Nothing is queued for a slow reader: what it has not received stands in the feed. */
import type { ServerResponse } from 'node:http'
import { safeHeaders } from '../../../simulator/server/safe-headers.ts'
import type { LiveEvent } from '../../../spec/types/show.ts'
import type { LiveFeed } from './feed.ts'

/** Changes within this time are sent together. */
const togetherMs = 100
/** The time left changes by itself, and a connection that is gone is noticed by what is sent. */
const betweenMs = 1_000

const frame = (event: LiveEvent, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`

/** `since`: the last id that the reader has. */
export function sendFeed(feed: LiveFeed, since: number, response: ServerResponse): void {
  response.writeHead(200, Object.fromEntries([...safeHeaders, ['Content-Type', 'text/event-stream']]))
  let sent = since
  let timer: NodeJS.Timeout | undefined
  const send = (): void => {
    timer = undefined
    if (response.writableNeedDrain) return
    const events = feed.after(sent)
    sent = events.at(-1)?.id ?? sent
    response.write(events.map(({ id, event }) => frame(event, id)).join('') + frame(feed.state()))
  }
  const sendSoon = (): void => void (timer ??= setTimeout(send, togetherMs))
  const clock = setInterval(() => {
    if (feed.busy) sendSoon()
  }, betweenMs)
  const leave = feed.watch(sendSoon)
  response.on('drain', sendSoon)
  response.on('close', () => {
    leave()
    clearInterval(clock)
    clearTimeout(timer)
  })
  send()
}
