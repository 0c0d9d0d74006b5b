/** One lane for each idempotency key: what was sent with it, and when, on one time axis. */
import type { Exchange } from '../state/exchanges.ts'
import { siblingAddress } from '../state/place.ts'
import { Empty } from '../ui/panel.tsx'
import { outcomes, summaryOf } from './summary.ts'

const lanesMost = 200

export function Lanes({ all }: { all: readonly Exchange[] }) {
  const keyed = all.filter((one) => one.idempotencyKey !== undefined)
  if (keyed.length === 0) return <Empty>No request with an idempotency key.</Empty>
  const lanes = [...Map.groupBy(keyed, (one) => one.idempotencyKey ?? '')].slice(-lanesMost).toReversed()
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
          <Track
            bars={group.map((one) => ({
              one,
              left: percent(Date.parse(one.at)),
              right: percent(endOf(one)),
            }))}
          />
        </li>
      ))}
    </ol>
  )
}

/** Of what is under way, as far as it came. */
const endOf = ({ at, endedAt, chunks }: Exchange): number => Date.parse(endedAt ?? chunks.at(-1)?.at ?? at)

interface BarPlace {
  readonly one: Exchange
  /** In percent of the time that is shown. */
  readonly left: number
  readonly right: number
}

/** About as much of the track as the label of a bar takes. */
const labelPercent = 20

/** The first row that is free where each bar begins: what came at the same time stands one below the other. */
function rowsOf(bars: readonly BarPlace[]): readonly number[] {
  const ends: number[] = []
  return bars.map(({ left, right }) => {
    const free = ends.findIndex((end) => end <= left)
    const row = free === -1 ? ends.length : free
    ends[row] = Math.max(right, left + labelPercent)
    return row
  })
}

function Track({ bars }: { bars: readonly BarPlace[] }) {
  const rows = rowsOf(bars)
  return (
    <span class="track" style={{ height: `${1.6 * (Math.max(...rows) + 1)}rem` }}>
      {bars.map((bar, at) => (
        <Bar key={bar.one.id} bar={bar} row={rows[at] ?? 0} />
      ))}
    </span>
  )
}

function Bar({ bar: { one, left, right }, row }: { bar: BarPlace; row: number }) {
  const { outcome } = summaryOf(one)
  const label = outcome === null ? String(one.status ?? 'no response') : outcomes[outcome].label
  return (
    <a
      class={`bar ${outcome === null ? 'quiet' : outcomes[outcome].tone}`}
      href={siblingAddress(String(one.id))}
      title={`#${one.id} ${label}`}
      style={{ left: `${left}%`, width: `${right - left}%`, top: `${1.6 * row + 0.1}rem` }}
    >
      {label}
    </a>
  )
}
