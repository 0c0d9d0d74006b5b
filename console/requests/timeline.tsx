/** The events of a stream, each where it is in time. */
import type { TimedEvent } from './summary.ts'

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
            <code title={data}>{data}</code>
          </li>
        ))}
      </ol>
    </>
  )
}
