/** The frame of every view of a run: which run it is, its answers, and the navigation. */
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { answerOf } from '../../reports/run/scope.ts'
import { visible } from '../../reports/visible.ts'
import { Notices } from '../shell/notices.tsx'
import { tokenMissing } from '../state/api.ts'
import { messageOf } from '../state/notices.ts'
import { place } from '../state/place.ts'
import { Checks } from './checks.tsx'
import { Exchanges } from './exchanges.tsx'
import { gateWords, Overview } from './overview.tsx'
import { WordsBadge } from './parts.tsx'
import { openRun, problem, run, runAddress } from './run.ts'
import { SessionForm } from './session.tsx'

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

/** The part after `#` names the view, so that the link cannot. */
function toMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}
