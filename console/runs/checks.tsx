/** Areas, their scenarios, and the checks of each; beside them the check that is open. */
import { place } from '../state/place.ts'
import { Empty, Loaded } from '../ui/panel.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { filters, runId } from './address.ts'
import { listChecks, type Schemas } from './api.ts'
import { CheckRow } from './check-row.tsx'
import { Check } from './check.tsx'
import { ChoiceFilter, TextFilter } from './filter.tsx'
import { overview } from './overview-state.ts'
import { usePagedList } from './reading.ts'
import { Split } from './split.tsx'

type Item = Schemas['CheckItem']
type Row = { readonly key: string } & (
  | { readonly item: Item }
  | { readonly area: string }
  | { readonly title: string }
)

const rowHeight = 30
const names = ['verdict', 'area', 'clause', 'text']

export function Checks() {
  const query = filters(names)
  const about = `${runId.value} ${new URLSearchParams(query).toString()}`
  const live = usePagedList((part) => listChecks({ ...query, ...part }), about)
  const { item } = place.value
  return (
    <Split
      list={
        <>
          <Filters total={live.value?.total} />
          <Loaded live={live}>{({ items }) => <Tree items={items} open={item} query={query} />}</Loaded>
        </>
      }
      entry={
        item === '' ? (
          <Empty>
            Choose a check: its clause, what was expected and received, and the exchanges that show it.
          </Empty>
        ) : (
          <Check key={item} check={item} query={query} among={live.value?.items ?? []} />
        )
      }
    />
  )
}

function Filters({ total }: { total: number | undefined }) {
  const run = overview.value
  const verdicts = (run?.verdicts ?? []).filter(({ count }) => count > 0)
  return (
    <search class="filters">
      <TextFilter name="text" label="Text, in bodies too" hint="Text, in bodies too" />
      <TextFilter name="clause" label="Clause" hint="Clause" />
      <ChoiceFilter
        name="verdict"
        label="Verdict"
        options={[
          ['', 'Every verdict'],
          ['fail,error,warn', 'failed and warned'],
          ...verdicts.map(({ verdict, count, words }) => [verdict, `${words.word} (${count})`] as const),
        ]}
      />
      <ChoiceFilter
        name="area"
        label="Area"
        options={[['', 'Every area'], ...(run?.areas ?? []).map(({ area }) => [area, area] as const)]}
      />
      <span class="soft" role="status">
        {total === undefined ? '…' : `${total} checks`}
      </span>
    </search>
  )
}

interface TreeProps {
  readonly items: readonly Item[]
  readonly open: string
  readonly query: Readonly<Record<string, string>>
}

function Tree({ items, open, query }: TreeProps) {
  if (items.length === 0) return <Empty>No check of this run is like that: take a filter away.</Empty>
  const rows = rowsOf(items)
  return (
    <VirtualList
      items={rows}
      rowHeight={rowHeight}
      label="Checks"
      keyOf={({ key }) => key}
      reveal={rows.findIndex(({ key }) => key === open)}
    >
      {(row) =>
        'item' in row ? (
          <CheckRow item={row.item} current={row.item.check === open} query={query} />
        ) : 'area' in row ? (
          <strong class="check-line area">{row.area}</strong>
        ) : (
          <span class="check-line scenario cut" title={row.title}>
            {row.title}
          </span>
        )
      }
    </VirtualList>
  )
}

/** A row for each area and scenario, above its checks. */
function rowsOf(items: readonly Item[]): readonly Row[] {
  return items.flatMap((item, at): Row[] => {
    const before = items[at - 1]
    const sameArea = before?.area === item.area
    return [
      ...(sameArea ? [] : [{ key: `area ${item.area}`, area: item.area }]),
      ...(sameArea && before.scenario === item.scenario
        ? []
        : [{ key: `scenario ${item.check}`, title: item.title }]),
      { key: item.check, item },
    ]
  })
}
