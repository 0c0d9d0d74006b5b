/** Exchanges on one time axis: who was in flight with whom, when headers arrived and when a body ended. */
import { visible } from '../../reports/visible.ts'
import type { RecordedExchange } from './journal.ts'
import { runAddress } from './run.ts'
import { milliseconds } from './parts.tsx'

interface AxisRow {
  readonly exchange: RecordedExchange
  readonly role: string
  /** It shows what is looked at. */
  readonly decisive: boolean
}

export function TimeAxis({ rows, open }: { rows: readonly AxisRow[]; open?: number }) {
  const start = Math.min(...rows.map(({ exchange }) => exchange.sentAt))
  const end = Math.max(...rows.map(({ exchange }) => exchange.endedAt))
  const share = (at: number): string => `${((at - start) / Math.max(end - start, 0.001)) * 100}%`
  return (
    <ol class="axis">
      {rows.map(({ exchange: { id, sentAt, endedAt, response, ...exchange }, role, decisive }) => (
        <li key={id} class={decisive ? 'decisive' : undefined}>
          <a href={runAddress('exchanges', String(id))} aria-current={id === open ? 'true' : undefined}>
            {id} {visible(role)}
          </a>
          <span class="mono">
            {exchange.inbound && '← '}
            {resultOf({ response, failure: exchange.failure })}
          </span>
          <span class="lane" aria-hidden="true">
            {/* A refusal may be what was to be shown: only what has no response is marked. */}
            <i
              class={response === null ? 'bad' : 'quiet'}
              style={{ left: share(sentAt), right: `calc(100% - ${share(endedAt)})` }}
            />
            {response !== null && <b style={{ left: share(response.at) }} />}
          </span>
          <span class="soft number">
            +{milliseconds(sentAt - start)}
            <span class="unseen">, took</span> <span aria-hidden="true">·</span>{' '}
            {milliseconds(endedAt - sentAt)}
          </span>
        </li>
      ))}
    </ol>
  )
}

export const resultOf = ({ response, failure }: Pick<RecordedExchange, 'response' | 'failure'>): string =>
  [response?.status, failure?.kind].filter((part) => part !== undefined).join(', ') || 'nothing'
