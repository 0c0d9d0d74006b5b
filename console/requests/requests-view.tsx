/** Every exchange as it happens: a list or lanes, filtered, and one of them in full. */
import { useEffect } from 'preact/hooks'
import { connection, exchanges, isOwn, unseen, type Exchange } from '../state/exchanges.ts'
import { addressOf, place, setQuery, requestAddress } from '../state/place.ts'
import { roleOf } from '../state/tenant.ts'
import { Badge, Empty, type Tone, counted, duration } from '../ui/panel.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { Button, Input, Select } from '../ui/controls.tsx'
import { saveFile } from '../ui/code.tsx'
import { Detail, OutcomeBadge } from './detail.tsx'
import { harOf } from './har.ts'
import { Lanes } from './lanes.tsx'
import { bodyTextOf, creditsOf, durationOf, membersOf, outcomes, summaryOf, textIn } from './summary.ts'

const filterNames = ['text', 'status', 'outcome', 'by', 'after'] as const
type Filter = Readonly<Record<(typeof filterNames)[number], string>>

export function RequestsView() {
  const { query, item } = place.value
  const filter = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? ''])) as Filter
  const all = exchanges.value
  // Newest first. A number that is yet to come is of a simulator that was stopped.
  const from = Number(filter.after) <= (all.at(-1)?.id ?? 0) ? Number(filter.after) : 0
  const cleared = all.filter(({ id }) => id <= from).length
  const shown = filtered(cleared === 0 ? all : all.slice(cleared), filter).toReversed()
  const at = shown.findIndex(({ id }) => String(id) === item)
  const chosen = shown[at] ?? all.find(({ id }) => String(id) === item)
  useKeys(shown)
  return (
    <>
      <FilterBar filter={filter} shown={shown} />
      <p class="soft" role="status">
        {shown.length < all.length && `${shown.length} of `}
        {counted(all.length, 'request')}
        {unseen.value > 0 && `; ${unseen.value} older ones are no longer here`}
        {cleared > 0 && (
          <>
            ; {cleared} cleared <Button shown="Show again" onClick={() => setQuery({ after: '' })} />
          </>
        )}
      </p>
      {item !== '' && !chosen && connection.value === 'live' && (
        <p class="problem">There is no request {item}.</p>
      )}
      <div class={chosen ? 'split' : ''}>
        {shown.length === 0 ? (
          <Nothing isFiltered={all.length > cleared} />
        ) : filter.by === 'key' ? (
          <Lanes all={shown.toReversed()} />
        ) : (
          <List all={shown} at={at} />
        )}
        {chosen && <Detail key={chosen.id} one={chosen} newer={shown[at - 1]} older={shown[at + 1]} />}
      </div>
    </>
  )
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty>
    {isFiltered
      ? 'No request matches the filter.'
      : 'Nothing to show. Send a request: the curl command is in '}
    {!isFiltered && <a href={addressOf('start')}>Start here</a>}
  </Empty>
)

const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }

/** Arrow keys, Page Up and Down, Home and End go through the list, and Escape closes the detail, wherever nothing else uses these keys. */
function useKeys(shown: readonly Exchange[]): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : document.body
      if (event.key === 'Escape' && place.peek().item !== '') {
        location.hash = requestAddress('')
        document.querySelector<HTMLElement>('.virtual')?.focus()
      }
      const step = steps[event.key as keyof typeof steps] as number | undefined
      if (step === undefined || target.closest('input, select, textarea, .detail')) return
      const at = shown.findIndex(({ id }) => String(id) === place.peek().item)
      const next = shown[Math.max(0, Math.min(at + step, shown.length - 1))]
      if (!next) return
      event.preventDefault()
      history.replaceState(null, '', requestAddress(String(next.id)))
      dispatchEvent(new HashChangeEvent('hashchange'))
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

const any = ['', 'any'] as const
const statuses = ['2xx', '4xx', '402', '409', '429', '5xx'].map((one) => [one, one] as const)
const choices: Readonly<Record<'status' | 'outcome', ReadonlyMap<string, string>>> = {
  status: new Map([any, ...statuses, ['none', 'no status']]),
  outcome: new Map([any, ...Object.entries(outcomes).map(([value, { label }]) => [value, label] as const)]),
}

function FilterBar({ filter, shown }: { filter: Filter; shown: readonly Exchange[] }) {
  const last = exchanges.value.at(-1)?.id ?? 0
  return (
    <form class="row" role="search" onSubmit={(event) => event.preventDefault()}>
      <Input
        type="search"
        aria-label="Search in paths, keys and bodies"
        placeholder="Path, key or text"
        value={filter.text}
        onChange={(text) => setQuery({ text })}
      />
      {(['status', 'outcome'] as const).map((name) => (
        <Select
          key={name}
          label={name}
          value={filter[name]}
          options={choices[name]}
          onChange={(value) => setQuery({ [name]: value })}
        />
      ))}
      <Button
        shown="Timeline by key"
        aria-pressed={filter.by === 'key'}
        onClick={() => setQuery({ by: filter.by === 'key' ? '' : 'key' })}
      />
      <Button
        shown="Export as HAR"
        disabled={shown.length === 0}
        onClick={() => saveFile('requests.har', harOf(shown.toReversed()))}
      />
      <Button
        shown="Clear"
        disabled={shown.length === 0}
        onClick={() => (location.hash = requestAddress('')) && setQuery({ after: String(last) })}
      />
    </form>
  )
}

const toneOf = (status: number | null): Tone =>
  status === null ? 'quiet' : status < 300 ? 'good' : status < 500 ? 'doubt' : 'bad'

const columns = 'Time Method Agent Message Outcome Key Credits Duration Status'.split(' ')

function List({ all, at }: { all: readonly Exchange[]; at: number }) {
  return (
    <div class="list">
      <div class="line heads" aria-hidden="true">
        {columns.map((name) => (
          <span key={name} class={name.toLowerCase()}>
            {name}
          </span>
        ))}
      </div>
      <VirtualList items={all} rowHeight={30} label="Requests" keyOf={({ id }) => id} reveal={at}>
        {(one) => <Line one={one} />}
      </VirtualList>
    </div>
  )
}

function subjectOf({ request, operation, path }: Exchange): string {
  const message = textIn(membersOf(request.body), 'message')
  return message || (operation === undefined || operation === 'chat' ? path : operation)
}

function Line({ one }: { one: Exchange }) {
  const { outcome, code } = summaryOf(one)
  const { idempotencyKey: key = '' } = one
  const ms = durationOf(one)
  const subject = subjectOf(one)
  return (
    <a
      class="line"
      tabIndex={-1}
      href={requestAddress(String(one.id))}
      aria-current={place.value.item === String(one.id) ? 'true' : undefined}
    >
      <span class="time soft mono">{one.at.slice(11, 23)}</span>
      <span class="method">{one.method}</span>
      <span class="agent">{roleOf(one.agentId)}</span>
      <span class="message" title={subject}>
        {isOwn(one) && <span class="soft">console: </span>}
        {subject}
      </span>
      <span class="outcome" title={code}>
        <OutcomeBadge outcome={outcome} />
      </span>
      <span class="key soft" title={key}>
        {key}
      </span>
      <span class="credits number">{creditsOf(one)}</span>
      <span class="duration number">{ms === null ? '…' : duration(ms)}</span>
      <span class="status">
        <Badge tone={toneOf(one.status)}>{one.status ?? (one.closedBy === null ? '…' : 'none')}</Badge>
      </span>
    </a>
  )
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
