/** Clause × check × fault: what shows that each check of this run can fail. */
import { place } from '../state/place.ts'
import { Empty, Loaded } from '../ui/panel.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { runAddress, runId } from './address.ts'
import { listProof, type Schemas } from './api.ts'
import { TextFilter } from './filter.tsx'
import { Prose } from './prose.tsx'
import { useReading } from './reading.ts'
import { VerdictSign } from './verdict.tsx'

interface Pair {
  readonly row: Schemas['ProofRow']
  /** Undefined where none is known. */
  readonly fault: Schemas['Fault'] | undefined
}

const rowHeight = 46

export function Proof() {
  const live = useReading(listProof, runId.value)
  return <Loaded live={live}>{({ rows }) => <Pairs rows={rows} />}</Loaded>
}

function Pairs({ rows }: { rows: readonly Schemas['ProofRow'][] }) {
  const wanted = (place.value.query.get('text') ?? '').toLowerCase()
  const pairs = rows.flatMap((row): Pair[] =>
    row.faults.length === 0 ? [{ row, fault: undefined }] : row.faults.map((fault) => ({ row, fault })),
  )
  const shown = pairs.filter((pair) => textOf(pair).includes(wanted))
  const proven = rows.filter(({ faults }) => faults.length > 0).length
  return (
    <div class="browse alone">
      <div class="browse-list">
        <search class="filters">
          <TextFilter name="text" label="Clause, check or fault" hint="Clause, check or fault" />
          <span class="soft" role="status">
            {shown.length} pairs; {proven} of {rows.length} checks were shown able to fail
          </span>
        </search>
        {shown.length === 0 ? (
          <Empty>No clause, check or fault is like that.</Empty>
        ) : (
          <VirtualList items={shown} rowHeight={rowHeight} label="Checks and faults" keyOf={keyOf}>
            {(pair) => <PairRow pair={pair} />}
          </VirtualList>
        )}
      </div>
    </div>
  )
}

const keyOf = ({ row, fault }: Pair): string => `${row.check} ${fault?.fault ?? ''}`
const textOf = ({ row, fault }: Pair): string =>
  `${row.check} ${row.clause} ${fault?.fault ?? ''} ${fault?.title ?? ''}`.toLowerCase()

function PairRow({ pair: { row, fault } }: { pair: Pair }) {
  return (
    <div class="proof-pair">
      <VerdictSign verdict={row.verdict} />
      <span class="cut">
        <a href={runAddress('checks', row.check)}>{row.clause}</a>
        <br />
        <span class="soft mono">{row.check}</span>
      </span>
      <span class="cut" title={fault?.title}>
        {fault ? (
          <>
            <code>{fault.fault}</code>
            <br />
            <span class="soft">
              <Prose text={fault.title} />
            </span>
          </>
        ) : (
          <span class="soft">no fault is known to fail it</span>
        )}
      </span>
    </div>
  )
}
