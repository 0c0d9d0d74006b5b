/** Requests by idempotency key, in time: which of them overlap, and what became of each. */
import type { Exchange } from '../state/exchanges.ts'
import { setQuery, requestAddress } from '../state/place.ts'
import { Empty, counted, duration } from '../ui/panel.tsx'
import { outcomes, summaryOf } from './summary.ts'
import { ticksOf, type Tick } from './time-ticks.ts'

const lanesMost = 200

export function Lanes({ all }: { all: readonly Exchange[] }) {
  const keyed = all.filter((one) => one.idempotencyKey !== undefined)
  if (keyed.length === 0) return <Empty>No request with an idempotency key.</Empty>
  const lanes = [...Map.groupBy(keyed, (one) => one.idempotencyKey ?? '')].slice(-lanesMost).toReversed()
  const shown = lanes.flatMap(([, group]) => group)
  const from = Math.min(...shown.map(({ at }) => Date.parse(at)))
  const until = Math.max(...shown.map(endOf), from + 1)
  const percent = (ms: number): number => (100 * (ms - from)) / (until - from)
  const ticks = ticksOf(until - from)
  return (
    <div class="lanes">
      {keyed.length < all.length && (
        <p class="soft">
          {counted(all.length - keyed.length, 'request')} without an idempotency key: not shown.
        </p>
      )}
      <Axis from={from} ticks={ticks} />
      <ol>
        {lanes.map(([key, group]) => (
          <li key={key}>
            <button
              type="button"
              class="mono key"
              title={`Only ${key}`}
              onClick={() => setQuery({ text: key })}
            >
              {key}
            </button>
            <Track ticks={ticks} bars={group.map((one) => barOf(one, percent))} />
          </li>
        ))}
      </ol>
    </div>
  )
}

/** About as much of a narrow axis as the time at a tick takes: one nearer to the end has no text. */
const tickPercent = 17

function Axis({ from, ticks }: { from: number; ticks: readonly Tick[] }) {
  return (
    <div class="axis">
      <span class="soft mono">from {new Date(from).toISOString().slice(11, 23)}</span>
      <span class="ticks">
        {ticks.map(({ ms, left }) => (
          <span key={ms} style={{ left: `${left}%` }}>
            {left < 100 - tickPercent && (ms === 0 ? '0' : `+${duration(ms)}`)}
          </span>
        ))}
      </span>
    </div>
  )
}

/** At the right edge, a label ends where its bar does, so that it stays within the track. */
const placed = (percent: number, atRight: boolean): Readonly<Record<string, string>> =>
  atRight ? { right: `${100 - percent}%` } : { left: `${percent}%` }

/** Of what is under way, as far as it came. */
const endOf = ({ at, endedAt, chunks }: Exchange): number => Date.parse(endedAt ?? chunks.at(-1)?.at ?? at)

interface BarPlace {
  readonly one: Exchange
  /** In percent of the time that is shown. */
  readonly left: number
  readonly right: number
}

const barOf = (one: Exchange, percent: (ms: number) => number): BarPlace => ({
  one,
  left: percent(Date.parse(one.at)),
  right: percent(endOf(one)),
})

/** About as much of a narrow track as the label of a bar takes. */
const labelPercent = 30
const isAtRight = ({ left }: BarPlace): boolean => left > 100 - labelPercent

/** The first row that is free where each bar or its label begins: what is at the same time stands one below the other. */
function rowsOf(bars: readonly BarPlace[]): readonly number[] {
  const ends: number[] = []
  return bars.map((bar) => {
    const { left, right } = bar
    const from = isAtRight(bar) ? Math.min(left, right - labelPercent) : left
    const free = ends.findIndex((end) => end <= from)
    const row = free === -1 ? ends.length : free
    ends[row] = isAtRight(bar) ? 100 : Math.max(right, left + labelPercent)
    return row
  })
}

const rowRem = 1.7

function Track({ bars, ticks }: { bars: readonly BarPlace[]; ticks: readonly Tick[] }) {
  const rows = rowsOf(bars)
  return (
    <span class="track" style={{ height: `${rowRem * (Math.max(...rows) + 1)}rem` }}>
      {ticks.map(({ ms, left }) => (
        <s key={ms} aria-hidden="true" style={{ left: `${left}%` }} />
      ))}
      {bars.map((bar, at) => (
        <Bar key={bar.one.id} bar={bar} top={rowRem * (rows[at] ?? 0)} />
      ))}
    </span>
  )
}

function Bar({ bar, top }: { bar: BarPlace; top: number }) {
  const { one, left, right } = bar
  const { outcome } = summaryOf(one)
  const label = outcome === null ? String(one.status ?? 'no response') : outcomes[outcome].label
  const tone = outcome === null ? 'quiet' : outcomes[outcome].tone
  const took = duration(endOf(one) - Date.parse(one.at))
  return (
    <>
      <i
        class={tone}
        aria-hidden="true"
        style={{ left: `${left}%`, width: `${right - left}%`, top: `${top + 1.2}rem` }}
      />
      <a
        class={`bar ${tone}`}
        href={requestAddress(String(one.id))}
        title={`Request ${one.id}: ${label}, ${took}`}
        style={{ ...placed(isAtRight(bar) ? right : left, isAtRight(bar)), top: `${top}rem` }}
      >
        {label}
      </a>
    </>
  )
}
