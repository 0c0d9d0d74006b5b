/** The frame of every view of a run: which run it is, its answers, whether it is verified, and the navigation. */
import { useEffect } from 'preact/hooks'
import { tokenMissing } from '../state/api.ts'
import { place } from '../state/place.ts'
import { Notices } from '../shell/notices.tsx'
import { firstRun, runAddress, runId } from './address.ts'
import { listRuns, type Schemas } from './api.ts'
import { endedRuns, followLiveRun } from './live/follow.ts'
import { LiveBar } from './live/live-bar.tsx'
import { LiveView } from './live/live-view.tsx'
import { openRun, overview, overviewProblem } from './overview-state.ts'
import { useNewest } from './reading.ts'
import { SessionForm } from './session-form.tsx'
import { WordsBadge } from './verdict.tsx'
import { VerificationBadge } from './verification.tsx'
import { runViews } from './views.ts'

export function RunShell() {
  return tokenMissing.value ? <SessionForm /> : <Runs />
}

function Runs() {
  // A run that was in progress is listed when it has ended; until then the list of before stays.
  const { value: list, problem } = useNewest(listRuns, `runs ${endedRuns.value}`)
  const isSession = list?.live ?? false
  useEffect(() => (isSession ? followLiveRun() : undefined), [isSession])
  useEffect(() => {
    if (list) firstRun.value = list.runs[0]?.id ?? ''
  }, [list])
  const run = runId.value
  // A list with one run more changes nothing of the run that is shown.
  const isListed = list !== undefined && list.runs.length > 0
  useEffect(() => {
    if (isListed && run !== '') void openRun(run)
  }, [isListed, run])
  if (problem !== null)
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    )
  if (list?.live && list.runs.length === 0) return <LiveView />
  return list ? <Frame list={list} /> : <p class="soft wait">Loading…</p>
}

function Frame({ list }: { list: Schemas['RunList'] }) {
  const views = runViews.filter(({ session }) => !session || list.live)
  const view = views.find(({ id }) => id === place.value.view) ?? runViews[0]
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
        {views.map(({ id, title: name }) => (
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
      {list.live && <LiveBar />}
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
