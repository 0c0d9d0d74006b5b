/** One lane for each idempotency key: what was sent with it, and when, on one time axis. */
import type { Exchange } from '../state/exchanges.ts'
import { Empty } from '../ui/panel.tsx'
import { exchangeAddress } from './address.ts'
import { outcomes, summaryOf } from './summary.ts'

const lanesMost = 200

export function Lanes({ all }: { all: readonly Exchange[] }) {
  const keyed = all.filter((one) => summaryOf(one).key !== '')
  if (keyed.length === 0) return <Empty>No request with an idempotency key.</Empty>
  const lanes = [...Map.groupBy(keyed, (one) => summaryOf(one).key)].slice(-lanesMost).toReversed()
  const shown = lanes.flatMap(([, group]) => group)
  const from = Math.min(...shown.map(({ at }) => Date.parse(at)))
  const until = Math.max(...shown.map(endOf), from + 1)
  const percent = (ms: number): number => (100 * (ms - from)) / (until - from)
  return (
    <ol class="lanes">
      {lanes.map(([key, group]) => (
        <li key={key}>
          <span class="mono key" title={key}>
            {key}
          </span>
          <span class="track">
            {group.map((one) => (
              <Bar key={one.id} one={one} left={percent(Date.parse(one.at))} right={percent(endOf(one))} />
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Of what is under way, as far as it came. */
const endOf = ({ at, endedAt, chunks }: Exchange): number => Date.parse(endedAt ?? chunks.at(-1)?.at ?? at)

function Bar({ one, left, right }: { one: Exchange; left: number; right: number }) {
  const { outcome } = summaryOf(one)
  const label = outcome ?? String(one.status ?? 'no response')
  return (
    <a
      class={`bar ${outcome === null ? 'quiet' : outcomes[outcome].tone}`}
      href={exchangeAddress(one.id)}
      title={`#${one.id} ${label}`}
      style={{ left: `${left}%`, width: `${right - left}%` }}
    >
      {label}
    </a>
  )
}
