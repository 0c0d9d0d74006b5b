/** Areas, their scenarios, and the checks of each; beside them the check that is open. */
import type { Finding } from '../../reports/bundle/record.ts'
import { evidenceOf } from '../../reports/findings/evidence.ts'
import { subjectOf } from '../../reports/run/subject.ts'
import { reasons } from '../../reports/verdicts/reasons.ts'
import { standingOf } from '../../reports/verdicts/standing.ts'
import { tally } from '../../reports/verdicts/tally.ts'
import { verdictOrder, verdictWords } from '../../reports/verdicts/verdicts.ts'
import { visible } from '../../reports/visible.ts'
import { place } from '../state/place.ts'
import { Copy } from '../ui/copy.tsx'
import { Empty, Panel } from '../ui/panel.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { Messages } from './message.tsx'
import {
  ChoiceFilter,
  EntryHead,
  Facts,
  Prose,
  Split,
  TextFilter,
  VerdictSign,
  WordsBadge,
} from './parts.tsx'
import { filters, run, runAddress, shownChecks } from './run.ts'
import { TimeAxis } from './time-axis.tsx'

type Row =
  | { readonly key: string; readonly finding: Finding }
  | { readonly key: string; readonly of: 'area' | 'scenario'; readonly title: string }

const rowHeight = 30
const mostEvidence = 60

export function Checks() {
  const { item } = place.value
  const open = run.value?.findings.find(({ check }) => check === item)
  return (
    <Split
      list={
        <>
          <Filters />
          <Tree open={item} />
        </>
      }
      entry={
        open ? (
          <Check key={item} finding={open} />
        ) : (
          <Empty>
            {item === ''
              ? 'Choose a check: its clause, what was expected and received, and the exchanges that show it.'
              : 'The run has no such check.'}
          </Empty>
        )
      }
    />
  )
}

function Filters() {
  const findings = run.value?.findings ?? []
  const counts = tally(findings)
  return (
    <search class="filters">
      <TextFilter name="text" label="Text, in bodies up to 4 kB too" />
      <TextFilter name="clause" label="Clause" />
      <ChoiceFilter
        name="verdict"
        label="Verdict"
        options={[
          ['', 'Every verdict'],
          ['fail,error,warn', 'failed and warned'],
          ...verdictOrder
            .filter((verdict) => counts[verdict] > 0)
            .map((verdict) => [verdict, `${verdictWords[verdict].word} (${counts[verdict]})`] as const),
        ]}
      />
      <ChoiceFilter
        name="area"
        label="Area"
        options={[
          ['', 'Every area'],
          ...[...new Set(findings.map(({ area }) => area))].map((area) => [area, area] as const),
        ]}
      />
      <span class="soft" role="status">
        {shownChecks.value.length} checks
      </span>
    </search>
  )
}

function Tree({ open }: { open: string }) {
  const rows = rowsOf(shownChecks.value)
  if (rows.length === 0) return <Empty>No check of this run is like that: take a filter away.</Empty>
  return (
    <VirtualList
      items={rows}
      rowHeight={rowHeight}
      label="Checks"
      keyOf={({ key }) => key}
      reveal={rows.findIndex(({ key }) => key === open)}
    >
      {(row) =>
        'finding' in row ? (
          <CheckRow finding={row.finding} current={row.key === open} />
        ) : (
          <span class={`check-line cut ${row.of}`} title={row.title}>
            {row.title}
          </span>
        )
      }
    </VirtualList>
  )
}

/** A row for each area and scenario, above its checks. */
function rowsOf(findings: readonly Finding[]): readonly Row[] {
  return findings.flatMap((finding, at): Row[] => {
    const { check, area, scenario, title } = finding
    const before = findings[at - 1]
    const isNewArea = before?.area !== area
    return [
      ...(isNewArea ? [{ key: `area ${area}`, of: 'area' as const, title: area }] : []),
      ...(isNewArea || before.scenario !== scenario
        ? [{ key: `scenario ${check}`, of: 'scenario' as const, title }]
        : []),
      { key: check, finding },
    ]
  })
}

export function CheckRow({ finding, current = false }: { finding: Finding; current?: boolean }) {
  const { check, subject, verdict, title, got, detail } = finding
  const brief = verdict === 'pass' ? undefined : got === undefined ? detail : `got ${got}`
  return (
    <a
      class="check-line"
      href={runAddress('checks', check, filters.value)}
      aria-current={current ? 'true' : undefined}
    >
      <VerdictSign verdict={verdict} />
      <span class="mono">{subject}</span>
      <span class="soft cut">{visible((brief ?? title).slice(0, 200))}</span>
    </a>
  )
}

function Check({ finding }: { finding: Finding }) {
  const { check, subject, verdict } = finding
  return (
    <article>
      <EntryHead back={runAddress('checks', '', filters.value)}>
        <WordsBadge words={verdictWords[verdict]} /> {subject}
      </EntryHead>
      <p class="row soft">
        <span class="mono">{check}</span> <Copy text={check} label="check id" />
      </p>
      <Clause finding={finding} />
      <Difference finding={finding} />
      <Evidence finding={finding} />
    </article>
  )
}

function Clause({ finding }: { finding: Finding }) {
  const { subject, level, basis, title, scenario, states } = finding
  const { text, words } = subjectOf(subject, run.value?.record)
  return (
    <section class="clause">
      <p class="statement">
        <Prose text={text} />
      </p>
      <p class="soft">
        <strong>{level.toUpperCase()}</strong> {basis === 'stated' || basis === 'silent' ? '' : `(${basis}) `}
        · Contract: <Prose text={words} />
      </p>
      <p>
        <span class="soft">Scenario:</span> <Prose text={title} /> <span class="soft mono">{scenario}</span>
      </p>
      <Facts
        facts={{
          states: states.map(({ state, by }) => `${state} by ${by}`).join(', '),
          policy: standingOf(finding),
        }}
      />
    </section>
  )
}

function Difference({ finding: { expected, got, detail, reason } }: { finding: Finding }) {
  return (
    <>
      {(expected !== undefined || got !== undefined) && (
        <div class="difference">
          {Object.entries({ Expected: expected, Actual: got }).map(([title, text]) => (
            <section key={title} aria-label={title}>
              <h3>{title}</h3>
              <pre tabIndex={0} role="group" aria-label={`${title} text`}>
                {visible(text ?? 'nothing recorded')}
              </pre>
            </section>
          ))}
        </div>
      )}
      {detail !== undefined && <p>{visible(detail)}</p>}
      {reason !== undefined && (
        <p>
          {reasons[reason].says} <span class="soft">{reasons[reason].provide}</span>
        </p>
      )}
    </>
  )
}

function Evidence({ finding }: { finding: Finding }) {
  const { shown, rest } = evidenceOf(finding, mostEvidence)
  const rows = shown.flatMap(({ id, as, decisive }) => {
    const exchange = run.value?.byId.get(id)
    return exchange ? [{ exchange, role: as ?? exchange.name, decisive: decisive || shown.length === 1 }] : []
  })
  const shows = rows.find(({ decisive }) => decisive) ?? rows.at(-1)
  if (!shows) return <Empty>It rests on no exchange.</Empty>
  const { id } = shows.exchange
  return (
    <>
      <Panel title={rows.length === 1 ? 'Evidence' : `Evidence: ${rows.length} exchanges on one time axis`}>
        <TimeAxis rows={rows} />
        {rest > 0 && <p class="soft">{rest} more are in the journal.</p>}
      </Panel>
      <Panel
        title={`Exchange ${id}${shows.decisive ? ', which shows it' : ''}`}
        aside={<a href={runAddress('exchanges', String(id))}>Open</a>}
      >
        <Messages exchange={shows.exchange} />
      </Panel>
    </>
  )
}
