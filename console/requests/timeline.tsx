/** The events of a stream, each where it is in time. */
import { membersOf, type TimedEvent } from './summary.ts'

/** What differs between events of a type. */
function shown(type: string, data: string): string {
  const { type: _, ...members } = membersOf(data)
  if (type === 'token' && typeof members['token'] === 'string') return JSON.stringify(members['token'])
  return Object.keys(members).length === 0 ? data : JSON.stringify(members)
}

export function Timeline({ events }: { events: readonly TimedEvent[] }) {
  const whole = Math.max(1, events.at(-1)?.afterMs ?? 1)
  return (
    <>
      <h3>Stream</h3>
      <ol class="timeline" aria-label="Events of the stream" tabIndex={0} role="group">
        {events.map(({ afterMs, type, data }, at) => (
          <li key={at}>
            <span class="number mono">+{afterMs} ms</span>
            <span class="track" aria-hidden="true">
              <span style={{ left: `${(100 * afterMs) / whole}%` }} />
            </span>
            <strong>{type}</strong>
            <code>{shown(type, data)}</code>
          </li>
        ))}
      </ol>
    </>
  )
}
