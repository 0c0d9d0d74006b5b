/** Exchanges on one time axis: who was in flight with whom, when headers arrived and when a body ended. */
import { runAddress } from './address.ts'
import type { Schemas } from './api.ts'
import { milliseconds } from './messages/plain-text.ts'

type Item = Schemas['ExchangeItem']

interface AxisRow {
  readonly exchange: Item
  readonly role: string
  readonly decisive: boolean
}

export function TimeAxis({ rows, open }: { rows: readonly AxisRow[]; open?: number }) {
  const start = Math.min(...rows.map(({ exchange }) => exchange.sentAt))
  const end = Math.max(...rows.map(({ exchange }) => exchange.endedAt))
  const share = (at: number): string => `${((at - start) / Math.max(end - start, 0.001)) * 100}%`
  return (
    <ol class="axis">
      {rows.map(({ exchange, role, decisive }) => (
        <li key={exchange.id} class={decisive ? 'decisive' : undefined}>
          <a
            href={runAddress('exchanges', String(exchange.id))}
            aria-current={exchange.id === open ? 'true' : undefined}
          >
            {exchange.id} {role}
          </a>
          <span class="mono">
            {exchange.inbound && '← '}
            {resultOf(exchange)}
          </span>
          <span class="lane" aria-hidden="true">
            <i
              class={toneOf(exchange)}
              style={{ left: share(exchange.sentAt), right: `calc(100% - ${share(exchange.endedAt)})` }}
            />
            {exchange.headersAt !== null && <b style={{ left: share(exchange.headersAt) }} />}
          </span>
          <span class="soft number">
            +{milliseconds(exchange.sentAt - start)}
            <span class="unseen">, took</span> <span aria-hidden="true">·</span>{' '}
            {milliseconds(exchange.endedAt - exchange.sentAt)}
          </span>
        </li>
      ))}
    </ol>
  )
}

export const resultOf = ({ status, failure }: Item): string =>
  [status, failure].filter((part) => part !== null).join(', ') || 'nothing'

/** A refusal may be what was to be shown: only what has no response is marked. */
const toneOf = ({ status }: Item): string => (status === null ? 'bad' : 'quiet')
