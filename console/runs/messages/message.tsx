/** One message in three forms: as text, as it was sent or arrived, and byte by byte. */
import { useState } from 'preact/hooks'
import { Code, pretty } from '../../ui/code.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import type { Schemas } from '../api.ts'
import { hexRows } from './hex.ts'
import { byteCount, bytesIn, milliseconds, visibleText } from './plain-text.ts'

export const messageForms = [
  ['text', 'Text'],
  ['raw', 'Raw'],
  ['hex', 'Hex'],
] as const
export type MessageForm = (typeof messageForms)[number][0]

interface MessageProps {
  readonly title: string
  readonly message: Schemas['Message']
  readonly form: MessageForm
  /** When the request was sent. */
  readonly since: number
  readonly events: readonly Schemas['StreamEvent'][]
}

export function MessageView({ title, message, form, since, events }: MessageProps) {
  const shown = message.chunks.reduce((sum, { base64 }) => sum + bytesIn(base64).length, 0)
  return (
    <section class="message" aria-label={title}>
      <h3>{title}</h3>
      {form === 'hex' ? (
        <Hex title={title} message={message} since={since} />
      ) : (
        <>
          <Code text={headText(message)} label={`${title} head`} />
          {form === 'raw' ? (
            <Raw title={title} message={message} since={since} />
          ) : events.length > 0 ? (
            <Events events={events} since={since} />
          ) : (
            message.size > 0 && <Code text={visibleText(pretty(bodyText(message)))} label={`${title} body`} />
          )}
        </>
      )}
      {shown < message.size && (
        <p class="soft">
          The first {byteCount(shown)} of {byteCount(message.size)}; the rest is in the folder of the run.
        </p>
      )}
    </section>
  )
}

const headText = ({ start, headers }: Schemas['Message']): string =>
  [start, ...headers.map(({ name, value }) => `${name}: ${value}`)].map(visibleText).join('\n')

function bodyText({ chunks }: Schemas['Message']): string {
  const decoder = new TextDecoder()
  return chunks.map(({ base64 }) => decoder.decode(bytesIn(base64), { stream: true })).join('')
}

const arrival = (at: number, since: number): string => `+${milliseconds(at - since)}`

/** Each part with the time at which it arrived; a character may be cut between two of them. */
function Raw({ title, message: { chunks }, since }: Pick<MessageProps, 'title' | 'message' | 'since'>) {
  const decoder = new TextDecoder()
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={`${title} body as sent`}>
        {chunks.map(({ at, base64 }, index) => {
          const bytes = bytesIn(base64)
          return (
            <>
              {chunks.length > 1 && (
                <span class="mark">{`── part ${index + 1} · ${arrival(at, since)} · ${bytes.length} B ──\n`}</span>
              )}
              {visibleText(decoder.decode(bytes, { stream: true }))}
              {chunks.length > 1 && '\n'}
            </>
          )
        })}
      </pre>
    </div>
  )
}

const eventHeight = 26
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
          items={events.map((event, at) => ({ ...event, at: event.at - since, number: at }))}
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
              <span class="soft number">+{milliseconds(at)}</span>
              <strong class="cut">{visibleText(type)}</strong>
              <span class="mono cut">{visibleText(data)}</span>
            </button>
          )}
        </VirtualList>
      </div>
      <Code text={visibleText(pretty(events[chosen]?.data ?? ''))} label={`event ${chosen + 1}`} />
    </>
  )
}

const hexHeight = 22

function Hex({ title, message, since }: Pick<MessageProps, 'title' | 'message' | 'since'>) {
  const rows = hexRows(message.chunks.map(({ at, base64 }) => ({ at, bytes: bytesIn(base64) })))
  if (rows.length === 0) return <p class="soft">No body.</p>
  return (
    <div class="hex" style={heightOf(rows.length, hexHeight)}>
      <VirtualList items={rows} rowHeight={hexHeight} label={`${title} body in hex`} keyOf={({ key }) => key}>
        {(row) =>
          'at' in row ? (
            <span class="mark">
              part {row.number} · {arrival(row.at, since)} · {row.size} B
            </span>
          ) : (
            <span class="bytes">
              <span class="soft">{row.offset}</span> {row.hex} <span class="soft">{row.text}</span>
            </span>
          )
        }
      </VirtualList>
    </div>
  )
}
