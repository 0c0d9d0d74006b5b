/** Both messages of an exchange in three forms: as text, as they were sent or arrived, and byte by byte. */
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { Chunk, Header } from '../../reports/bundle/exchange.ts'
import { visible } from '../../reports/visible.ts'
import { messageOf } from '../state/notices.ts'
import { Code, pretty } from '../ui/code.tsx'
import { Empty } from '../ui/panel.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { bodiesOf, eventsIn, type RecordedExchange, type StreamEvent } from './journal.ts'
import { byteCount, milliseconds } from './parts.tsx'

const forms = { text: 'Text', raw: 'Raw', hex: 'Hex' } as const
/** Chosen once for all messages. */
const form = signal<keyof typeof forms>('text')

/** Bytes of a body in the page: more would be slow, and the file is in the folder of the run. */
const mostBytes = 2_000_000
const mostEvents = 5_000

type Bodies = Awaited<ReturnType<typeof bodiesOf>>

export function Messages({ exchange }: { exchange: RecordedExchange }) {
  const [bodies, setBodies] = useState<Bodies | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    bodiesOf(exchange).then(setBodies, (error: unknown) => setProblem(messageOf(error)))
  }, [exchange])
  const { request, response, sentAt } = exchange
  return (
    <>
      {[...notesOf(exchange), ...(problem === null ? [] : [problem])].map((note) => (
        <p key={note} class="problem">
          {note}
        </p>
      ))}
      <div class="row" role="group" aria-label="Show messages as">
        {Object.entries(forms).map(([id, words]) => (
          <button
            key={id}
            type="button"
            aria-pressed={form.value === id}
            onClick={() => (form.value = id as keyof typeof forms)}
          >
            {words}
          </button>
        ))}
      </div>
      {bodies && (
        <div class={`messages ${form.value}-form`}>
          <Message
            title="Request"
            start={`${request.method} ${request.path} HTTP/1.1`}
            headers={request.headers}
            chunks={bodies.sent}
            since={sentAt}
            events={[]}
          />
          {response ? (
            <Message
              title="Response"
              start={`HTTP/1.1 ${response.status}`}
              headers={response.headers}
              chunks={bodies.received}
              since={sentAt}
              events={eventsIn(exchange, bodies.received).slice(0, mostEvents)}
            />
          ) : (
            <section>
              <h3>Response</h3>
              <Empty>No response came.</Empty>
            </section>
          )}
        </div>
      )}
    </>
  )
}

function notesOf(exchange: RecordedExchange): readonly string[] {
  const { failure, resent, insteadOf, withheld, inbound, request, response } = exchange
  return [
    failure && `${failure.kind}: ${failure.message}`,
    response && !response.complete && 'The body did not end as its framing promises.',
    resent && 'The same bytes were sent twice: a kept connection turned out to be closed.',
    insteadOf !== undefined && `Exchange ${insteadOf} came too early: this one is judged in its place.`,
    withheld && 'A body contained a secret in an encoding that cannot be redacted, so it was withheld.',
    inbound?.cut && 'The body was larger than is stored; this is its beginning.',
    request.splitAt !== undefined && `The body was sent in two writes: ${request.splitAt} bytes first.`,
    request.replica !== undefined && `Sent to ${request.replica}.`,
  ].filter((note) => typeof note === 'string')
}

interface MessageProps {
  readonly title: string
  readonly start: string
  readonly headers: readonly Header[]
  readonly chunks: readonly Chunk[]
  /** When the request was sent. */
  readonly since: number
  readonly events: readonly StreamEvent[]
}

function Message({ title, start, headers, chunks, since, events }: MessageProps) {
  const size = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const shown = beginning(chunks)
  const head = [start, ...headers.map((header) => header.join(': '))].map(visible).join('\n')
  return (
    <section class="message" aria-label={title}>
      <h3>
        {title} <span class="soft">{size > 0 && byteCount(size)}</span>
      </h3>
      {form.value === 'hex' ? (
        <Hex title={title} chunks={shown} since={since} />
      ) : (
        <>
          <Code text={head} label={`${title} head`} />
          {form.value === 'raw' ? (
            <Raw title={title} chunks={shown} since={since} />
          ) : events.length > 0 ? (
            <Events events={events} since={since} />
          ) : (
            size > 0 && <Code text={visible(pretty(textIn(shown)))} label={`${title} body`} />
          )}
        </>
      )}
      {size > mostBytes && (
        <p class="soft">
          The first {byteCount(mostBytes)} of {byteCount(size)}; the rest is in the folder of the run.
        </p>
      )}
    </section>
  )
}

function beginning(chunks: readonly Chunk[]): readonly Chunk[] {
  let left = mostBytes
  return chunks.flatMap(({ at, bytes }) => {
    const shown = bytes.subarray(0, left)
    left -= shown.length
    return shown.length === 0 ? [] : [{ at, bytes: shown }]
  })
}

function textIn(chunks: readonly Chunk[]): string {
  const decoder = new TextDecoder()
  return chunks.map(({ bytes }) => decoder.decode(bytes, { stream: true })).join('')
}

const arrival = (at: number, since: number): string => `+${milliseconds(at - since)}`

type BodyProps = Pick<MessageProps, 'title' | 'chunks' | 'since'>

/** Each part with the time at which it arrived; a character may be cut between two of them. */
function Raw({ title, chunks, since }: BodyProps) {
  const decoder = new TextDecoder()
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={`${title} body as sent`}>
        {chunks.map(({ at, bytes }, index) => (
          <>
            {chunks.length > 1 && (
              <span class="mark">{`── part ${index + 1} · ${arrival(at, since)} · ${bytes.length} B ──\n`}</span>
            )}
            {visible(decoder.decode(bytes, { stream: true }))}
            {chunks.length > 1 && '\n'}
          </>
        ))}
      </pre>
    </div>
  )
}

const eventHeight = 26
const hexHeight = 22
const mostRows = 15
/** As high as its rows, up to a height that leaves the rest of the page in sight. */
const heightOf = (rows: number, rowHeight: number) => ({
  height: `${Math.min(rows, mostRows) * rowHeight + 2}px`,
})

function Events({ events, since }: Pick<MessageProps, 'events' | 'since'>) {
  const [chosen, setChosen] = useState(events.length - 1)
  return (
    <>
      <div class="events" style={heightOf(events.length, eventHeight)}>
        <VirtualList
          items={events.map((event, number) => ({ ...event, number }))}
          rowHeight={eventHeight}
          label="Events of the stream"
          keyOf={({ number }) => number}
        >
          {({ at, type, data, number }) => (
            <button
              type="button"
              class="event"
              aria-pressed={number === chosen}
              onClick={() => setChosen(number)}
            >
              <span class="soft number">{arrival(at, since)}</span>
              <strong class="cut">{visible(type)}</strong>
              <span class="mono cut">{visible(data)}</span>
            </button>
          )}
        </VirtualList>
      </div>
      <Code text={visible(pretty(events[chosen]?.data ?? ''))} label={`event ${chosen + 1}`} />
    </>
  )
}

function Hex({ title, chunks, since }: BodyProps) {
  const rows = hexRows(chunks, since)
  if (rows.length === 0) return <p class="soft">No body.</p>
  return (
    <div class="hex" style={heightOf(rows.length, hexHeight)}>
      <VirtualList items={rows} rowHeight={hexHeight} label={`${title} body in hex`} keyOf={({ key }) => key}>
        {({ text, isMark }) => <span class={isMark ? 'mark' : 'bytes'}>{text}</span>}
      </VirtualList>
    </div>
  )
}

const width = 16

/** Bytes in rows of sixteen, with a row above each part that arrived by itself; offsets count through all parts. */
function hexRows(chunks: readonly Chunk[], since: number) {
  let offset = 0
  return chunks.flatMap(({ at, bytes }, index) => {
    const mark = `part ${index + 1} · ${arrival(at, since)} · ${bytes.length} B`
    const rows = [{ key: `part ${index}`, isMark: true, text: mark }]
    for (let from = 0; from < bytes.length; from += width) {
      const row = [...bytes.subarray(from, from + width)]
      const digits = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
      const plain = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
      const text = `${(offset + from).toString(16).padStart(6, '0')}  ${digits.padEnd(3 * width)} ${plain.join('')}`
      rows.push({ key: `${index} ${from}`, isMark: false, text })
    }
    offset += bytes.length
    return rows
  })
}
