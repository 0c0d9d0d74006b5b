/** The frame of every view of a run: which run it is, its answers, and the navigation. */
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { answerOf } from '../../reports/run/scope.ts'
import { visible } from '../../reports/visible.ts'
import { Notices } from '../shell/notices.tsx'
import { tokenMissing } from '../state/api.ts'
import { messageOf } from '../state/notices.ts'
import { place, toMain } from '../state/place.ts'
import { Checks } from './checks.tsx'
import { gateWords, Overview } from './overview.tsx'
import {
  WordsBadge,
  ChoiceFilter,
  EntryHead,
  Facts,
  milliseconds,
  Split,
  TextFilter,
  VerdictSign,
} from './parts.tsx'
import { openRun, problem, run, runAddress, filters, shownExchanges } from './run.ts'
import { SessionForm } from './session.tsx'
import { Empty, Panel } from '../ui/panel.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import type { RecordedExchange } from './journal.ts'
import { Messages } from './message.tsx'
import { resultOf, TimeAxis } from './time-axis.tsx'

const rowHeight = 46
const mostOnAxis = 200
const statuses = { '': 'Every status', '2xx': '2xx', '4xx': '4xx', '5xx': '5xx', none: 'no response' }

function Exchanges() {
  const shown = shownExchanges.value
  const { item } = place.value
  const open = run.value?.byId.get(Number(item))
  return (
    <Split
      list={
        <>
          <search class="filters">
            <TextFilter name="text" label="Text in path, headers, bodies up to 4 kB" />
            <TextFilter name="scenario" label="Scenario" />
            <ChoiceFilter name="status" label="Status" options={Object.entries(statuses)} />
            <span class="soft" role="status">
              {shown.length} exchanges
            </span>
          </search>
          {shown.length === 0 ? (
            <Empty>No exchange of this run is like that: take a filter away.</Empty>
          ) : (
            <VirtualList
              items={shown}
              rowHeight={rowHeight}
              label="Exchanges"
              keyOf={({ id }) => id}
              reveal={shown.findIndex(({ id }) => String(id) === item)}
            >
              {(exchange) => <ExchangeRow exchange={exchange} current={String(exchange.id) === item} />}
            </VirtualList>
          )}
        </>
      }
      entry={
        open ? (
          <Exchange key={item} exchange={open} />
        ) : (
          <Empty>
            {item === ''
              ? 'Choose an exchange: both messages as text, as sent and in hex, with the times of arrival.'
              : 'The journal has no such exchange.'}
          </Empty>
        )
      }
    />
  )
}

function ExchangeRow({ exchange, current }: { exchange: RecordedExchange; current: boolean }) {
  const { id, request, response, scenario, name, sentAt, endedAt, inbound } = exchange
  const isBad = response === null || response.status >= 500
  return (
    <a
      class="exchange"
      href={runAddress('exchanges', String(id), filters.value)}
      aria-current={current ? 'true' : undefined}
    >
      <span class="soft number">{id}</span>
      <span class="mono cut">
        {inbound && '← '}
        {visible(`${request.method} ${request.path}`)}
      </span>
      <span class={`mono ${isBad ? 'bad' : ''}`}>{resultOf(exchange)}</span>
      <span class="soft cut below">
        {scenario}: {visible(name)}
      </span>
      <span class="soft number below">
        +{milliseconds(sentAt)} · {milliseconds(endedAt - sentAt)}
      </span>
    </a>
  )
}

function Exchange({ exchange }: { exchange: RecordedExchange }) {
  const { id, request, response, scenario, name, sentAt, endedAt, inbound } = exchange
  const headers = response && `, headers after ${milliseconds(response.at - sentAt)}`
  const checks = (run.value?.findings ?? []).filter(({ evidence }) => evidence.includes(id))
  const others = (run.value?.exchanges ?? []).filter((one) => one.scenario === scenario)
  return (
    <article>
      <EntryHead back={runAddress('exchanges', '', filters.value)}>
        Exchange {id} <span class="mono">{resultOf(exchange)}</span>
      </EntryHead>
      <p class="mono">
        {inbound && 'received: '}
        {visible(`${request.method} ${request.path}`)}
      </p>
      <Facts
        facts={{
          scenario: visible(`${scenario}: ${name}`),
          as: visible(request.principal ?? 'nobody'),
          time: `+${milliseconds(sentAt)} since the start of the run${headers ?? ''}, took ${milliseconds(endedAt - sentAt)}`,
        }}
      />
      <Messages exchange={exchange} />
      <Panel
        title="Its scenario on one time axis"
        aside={<a href={runAddress('exchanges', String(id), { scenario })}>Filter</a>}
      >
        <TimeAxis
          open={id}
          rows={others
            .slice(0, mostOnAxis)
            .map((one) => ({ exchange: one, role: one.name, decisive: one.id === id }))}
        />
        {others.length > mostOnAxis && (
          <p class="soft">
            The first {mostOnAxis} of {others.length}.
          </p>
        )}
      </Panel>
      <Panel title="Checks that rest on it">
        {checks.length === 0 && <Empty>None.</Empty>}
        <ul class="bare">
          {checks.map(({ check, verdict }) => (
            <li key={check}>
              <VerdictSign verdict={verdict} /> <a href={runAddress('checks', check)}>{check}</a>
            </li>
          ))}
        </ul>
      </Panel>
    </article>
  )
}

/** In the order of the navigation. `wide`: it fills the window, and its title is not shown. */
const views = [
  { id: 'overview', title: 'Overview', View: Overview, wide: false },
  { id: 'checks', title: 'Checks', View: Checks, wide: true },
  { id: 'exchanges', title: 'Exchanges', View: Exchanges, wide: true },
] as const

export function RunShell() {
  return tokenMissing.value ? <SessionForm /> : <Frame />
}

function Frame() {
  // What is no run, or was altered, may have any shape.
  const [broken] = useErrorBoundary()
  useEffect(() => void openRun(), [])
  const { id: current, title, View, wide } = views.find(({ id }) => id === place.value.view) ?? views[0]
  const name = visible(run.value?.record.target.name ?? 'run')
  useEffect(() => {
    document.title = `${title} · ${name} · Touchstone`
  }, [title, name])
  const failure = problem.value ?? (broken === undefined ? null : messageOf(broken))
  if (failure !== null)
    return (
      <p class="problem" role="alert">
        The run cannot be shown: {failure} <code>touchstone verify</code> says whether its folder was altered.
      </p>
    )
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        To the content
      </a>
      <header class="top">
        <strong>Touchstone</strong>
        <span>{name}</span>
        {run.value && (
          <>
            <span>
              <span class="soft">conformance</span> <WordsBadge words={answerOf(run.value.record)} />
            </span>
            <span>
              <span class="soft">gate</span> <WordsBadge words={gateWords(run.value.record)} />
            </span>
          </>
        )}
      </header>
      <nav aria-label="Views">
        {views.map(({ id, title: words }) => (
          <a key={id} href={runAddress(id)} aria-current={id === current ? 'page' : undefined}>
            {words}
          </a>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <h1 class={wide ? 'unseen' : undefined}>{title}</h1>
        {run.value ? <View /> : <p class="soft">Loading…</p>}
      </main>
      <Notices />
    </>
  )
}
