/** Every exchange of the run in the order sent; beside them the one that is open. */
import { place } from '../state/place.ts'
import { Empty, Loaded } from '../ui/panel.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { filters, runAddress, runId } from './address.ts'
import { listExchanges, type Schemas } from './api.ts'
import { Exchange } from './exchange.tsx'
import { ChoiceFilter, TextFilter } from './filter.tsx'
import { milliseconds } from './messages/plain-text.ts'
import { usePagedList } from './reading.ts'
import { Split } from './split.tsx'
import { resultOf } from './time-axis.tsx'

const rowHeight = 46
const names = ['text', 'scenario', 'status']
const statuses = [
  ['', 'Every status'],
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
  ['none', 'no response'],
] as const

export function Exchanges() {
  const query = filters(names)
  const about = `${runId.value} ${new URLSearchParams(query).toString()}`
  const live = usePagedList((part) => listExchanges({ ...query, ...part }), about)
  const { item } = place.value
  return (
    <Split
      list={
        <>
          <search class="filters">
            <TextFilter
              name="text"
              label="Text in path, headers and bodies"
              hint="Text in path, headers, bodies"
            />
            <TextFilter name="scenario" label="Scenario" hint="Scenario" />
            <ChoiceFilter name="status" label="Status" options={statuses} />
            <span class="soft" role="status">
              {live.value === undefined ? '…' : `${live.value.total} exchanges`}
            </span>
          </search>
          <Loaded live={live}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty>No exchange of this run is like that: take a filter away.</Empty>
              ) : (
                <VirtualList
                  items={items}
                  rowHeight={rowHeight}
                  label="Exchanges"
                  keyOf={({ id }) => id}
                  reveal={items.findIndex(({ id }) => String(id) === item)}
                >
                  {(one) => <ExchangeRow item={one} current={String(one.id) === item} query={query} />}
                </VirtualList>
              )
            }
          </Loaded>
        </>
      }
      entry={
        item === '' ? (
          <Empty>
            Choose an exchange: both messages as text, as sent and in hex, with the times of arrival.
          </Empty>
        ) : (
          <Exchange key={item} id={Number(item)} back={runAddress('exchanges', '', query)} />
        )
      }
    />
  )
}

interface ExchangeRowProps {
  readonly item: Schemas['ExchangeItem']
  readonly current: boolean
  readonly query: Readonly<Record<string, string>>
}

function ExchangeRow({ item, current, query }: ExchangeRowProps) {
  const { id, method, path, scenario, name, sentAt, endedAt, inbound, status } = item
  return (
    <a
      class="exchange"
      href={runAddress('exchanges', String(id), query)}
      aria-current={current ? 'true' : undefined}
    >
      <span class="soft number">{id}</span>
      <span class="mono cut">
        {inbound ? '← ' : ''}
        {method} {path}
      </span>
      <span class={`mono ${status === null || status >= 500 ? 'bad' : ''}`}>{resultOf(item)}</span>
      <span class="soft cut below">
        {scenario}: {name}
      </span>
      <span class="soft number below">
        +{milliseconds(sentAt)} · {milliseconds(endedAt - sentAt)}
      </span>
    </a>
  )
}
