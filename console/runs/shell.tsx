/** The frame of every view of a run: which run it is, its answers, whether it is verified, and the navigation. */
import { useEffect, useState } from 'preact/hooks'
import { tokenMissing } from '../state/api.ts'
import { place } from '../state/place.ts'
import { Notices } from '../shell/notices.tsx'
import { firstRun, runAddress, runId } from './address.ts'
import { listRuns, type Schemas } from './api.ts'
import { LiveView } from './live.tsx'
import { openRun, overview, overviewProblem } from './overview-state.ts'
import { useReading } from './reading.ts'
import { SessionForm } from './session-form.tsx'
import { WordsBadge } from './verdict.tsx'
import { VerificationBadge } from './verification.tsx'
import { runViews } from './views.ts'

export function RunShell() {
  return tokenMissing.value ? <SessionForm /> : <Runs />
}

function Runs() {
  // A run that was in progress is listed when it has ended.
  const [ended, setEnded] = useState(0)
  const { value: list, problem } = useReading(listRuns, `runs ${ended}`)
  useEffect(() => {
    if (list) firstRun.value = list.runs[0]?.id ?? ''
  }, [list])
  const run = runId.value
  useEffect(() => {
    if (list && run !== '') void openRun(run)
  }, [list, run])
  if (problem !== null)
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    )
  if (list?.live) return <LiveView onEnd={() => setEnded(ended + 1)} />
  return list ? <Frame list={list} /> : <p class="soft wait">Loading…</p>
}

function Frame({ list }: { list: Schemas['RunList'] }) {
  const view = runViews.find(({ id }) => id === place.value.view) ?? runViews[0]
  const { component: Shown, title } = view
  useEffect(() => {
    document.title = `${title} · ${overview.value?.target ?? 'run'} · Touchstone`
  }, [title, overview.value])
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        To the content
      </a>
      <Top list={list} />
      <nav aria-label="Views">
        {runViews.map(({ id, title: name }) => (
          <a key={id} href={runAddress(id)} aria-current={id === view.id ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <h1 class={view.wide ? 'unseen' : undefined}>{title}</h1>
        {overviewProblem.value !== null && !view.unread ? (
          <p class="problem" role="alert">
            {overviewProblem.value}
          </p>
        ) : overview.value || view.unread ? (
          <Shown key={`${view.id} ${runId.value}`} list={list} />
        ) : (
          <p class="soft">Loading…</p>
        )}
      </main>
      <Notices />
    </>
  )
}

function Top({ list }: { list: Schemas['RunList'] }) {
  const shown = overview.value
  return (
    <header class="top">
      <strong>Touchstone</strong>
      {list.runs.length > 1 ? <RunChoice list={list} /> : <span>{shown?.target}</span>}
      {shown && (
        <>
          <span>
            <span class="soft">conformance</span> <WordsBadge words={shown.conformance} />
          </span>
          <span>
            <span class="soft">gate</span> <WordsBadge words={shown.gate} />
          </span>
        </>
      )}
      <span>
        <span class="soft">bundle</span> <VerificationBadge />
      </span>
    </header>
  )
}

function RunChoice({ list: { runs } }: { list: Schemas['RunList'] }) {
  return (
    <label>
      <span class="unseen">Run</span>
      <select
        value={runId.value}
        onChange={({ currentTarget: { value } }) => {
          location.hash = `#/overview?${new URLSearchParams({ run: value }).toString()}`
        }}
      >
        {runs.map(({ id, target }) => (
          <option key={id} value={id}>
            {target === undefined ? id : `${id}: ${target}`}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The part after `#` names the view, so that the link cannot. */
function toMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}
