/** Every exchange as it happens: a list or lanes, filtered, and one of them in full. */
import { exchanges, unseen, type Exchange } from '../state/exchanges.ts'
import { place, setQuery, siblingAddress } from '../state/place.ts'
import { roleOf } from '../state/tenant.ts'
import { Badge, Empty, type Tone } from '../ui/panel.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { duration } from '../ui/duration.ts'
import { Detail, OutcomeBadge } from './detail.tsx'
import { durationOf, outcomes, summaryOf, bodyTextOf } from './summary.ts'
import { ticksOf, type Tick } from './time-ticks.ts'

const lanesMost = 200

function Lanes({ all }: { all: readonly Exchange[] }) {
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
        href={siblingAddress(String(one.id))}
        title={`Request ${one.id}: ${label}, ${took}`}
        style={{ ...placed(isAtRight(bar) ? right : left, isAtRight(bar)), top: `${top}rem` }}
      >
        {label}
      </a>
    </>
  )
}

export function RequestsView() {
  const { query, item } = place.value
  const [text = '', status = '', outcome = '', by = ''] = ['text', 'status', 'outcome', 'by'].map(
    (name) => query.get(name) ?? '',
  )
  const shown = filtered(exchanges.value, { text, status, outcome })
  const chosen = exchanges.value.find(({ id }) => String(id) === item)
  return (
    <>
      <FilterBar text={text} status={status} outcome={outcome} by={by} />
      <p class="soft" role="status">
        {shown.length === exchanges.value.length
          ? counted(shown.length)
          : `${shown.length} of ${counted(exchanges.value.length)}`}
        {unseen.value > 0 && `; ${unseen.value} older ones are no longer here`}
      </p>
      <div class={chosen ? 'split' : ''}>
        {shown.length === 0 ? (
          <Empty>
            {exchanges.value.length === 0
              ? 'No request yet: send one, such as the curl line of “Start here”, or write to an agent in “Conversations”.'
              : 'No request fits the filter.'}
          </Empty>
        ) : by === 'key' ? (
          <Lanes all={shown} />
        ) : (
          <List all={shown} />
        )}
        {chosen && <Detail one={chosen} />}
      </div>
    </>
  )
}

const counted = (count: number): string => (count === 1 ? '1 request' : `${count} requests`)

interface FilterBarProps {
  readonly text: string
  readonly status: string
  readonly outcome: string
  readonly by: string
}

function FilterBar({ text, status, outcome, by }: FilterBarProps) {
  return (
    <form class="row" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Search in paths, keys and bodies"
        placeholder="Path, key or text"
        value={text}
        onInput={(event) => setQuery({ text: event.currentTarget.value })}
      />
      <select
        aria-label="Status"
        value={status}
        onChange={(event) => setQuery({ status: event.currentTarget.value })}
      >
        <option value="">any status</option>
        {['2xx', '4xx', '5xx', '402', '409', '429', 'none'].map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
      <select
        aria-label="Outcome"
        value={outcome}
        onChange={(event) => setQuery({ outcome: event.currentTarget.value })}
      >
        <option value="">any outcome</option>
        {Object.entries(outcomes).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-pressed={by === 'key'}
        onClick={() => setQuery({ by: by === 'key' ? '' : 'key' })}
      >
        Lanes by key
      </button>
    </form>
  )
}

const toneOf = (status: number | null): Tone =>
  status === null ? 'quiet' : status < 300 ? 'good' : status < 500 ? 'doubt' : 'bad'

/** The newest first. */
function List({ all }: { all: readonly Exchange[] }) {
  return (
    <div class="list">
      <VirtualList items={all.toReversed()} rowHeight={30} label="Requests" keyOf={({ id }) => id}>
        {(one) => <Line one={one} />}
      </VirtualList>
    </div>
  )
}

function Line({ one }: { one: Exchange }) {
  const { outcome, code } = summaryOf(one)
  const { idempotencyKey: key = '', credits } = one
  const ms = durationOf(one)
  return (
    <a
      class="line"
      href={siblingAddress(String(one.id))}
      aria-current={place.value.item === String(one.id) ? 'true' : undefined}
    >
      <span class="soft mono">{one.at.slice(11, 23)}</span>
      <span>{one.method}</span>
      <span class="grow" title={one.path}>
        {roleOf(one.agentId) ?? one.path}
      </span>
      <OutcomeBadge outcome={outcome} />
      <span class="soft key" title={key}>
        {code || key}
      </span>
      <span class="number">{credits ? `${credits.used} cr` : ''}</span>
      <span class="number">{ms === null ? '…' : duration(ms)}</span>
      <Badge tone={toneOf(one.status)}>{one.status ?? (one.closedBy === null ? '…' : 'none')}</Badge>
    </a>
  )
}

interface Filter {
  /** Anywhere in the path, the key or the bodies, in any casing. */
  readonly text: string
  /** A class such as `4xx`, or a whole status; empty for all. */
  readonly status: string
  /** An outcome; empty for all. */
  readonly outcome: string
}

const statusFits = (status: number | null, wanted: string): boolean =>
  wanted === '' ||
  (wanted === 'none' ? status === null : String(status ?? '').startsWith(wanted.replace(/xx$/, '')))

function filtered(all: readonly Exchange[], { text, status, outcome }: Filter): readonly Exchange[] {
  const words = text.toLowerCase()
  const fits = (one: Exchange): boolean =>
    statusFits(one.status, status) &&
    (outcome === '' || summaryOf(one).outcome === outcome) &&
    (words === '' ||
      [`${one.method} ${one.path}`, one.idempotencyKey ?? '', one.request.body, bodyTextOf(one)].some(
        (part) => part.toLowerCase().includes(words),
      ))
  return words === '' && status === '' && outcome === '' ? all : all.filter(fits)
}
