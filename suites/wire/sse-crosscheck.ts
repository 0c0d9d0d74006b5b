/** The same bytes through another reader: an event that only one of the two sees is our own error, or a trap. */
import { createParser } from 'eventsource-parser'
import type { StreamReading } from './sse.ts'

export interface Disagreement {
  /** Position among the dispatched events, from 0. */
  index: number
  ours: string | undefined
  theirs: string | undefined
}

/** The data of every event that the other reader dispatches. */
export function otherReading(body: Uint8Array): readonly string[] {
  const payloads: string[] = []
  const parser = createParser({ onEvent: ({ data }) => payloads.push(data) })
  parser.feed(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body))
  return payloads
}

/** Where the two readings differ; both follow the standard, so they agree on any bytes, well framed or not. */
export function crossCheck({ body, events }: StreamReading): readonly Disagreement[] {
  const ours = events.filter((event) => event.terminated).map((event) => event.data)
  const theirs = otherReading(body)
  const rows = Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) => ({
    index,
    ours: ours[index],
    theirs: theirs[index],
  }))
  return rows.filter((row) => row.ours !== row.theirs)
}
