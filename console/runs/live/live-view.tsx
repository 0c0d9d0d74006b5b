/** A run while it is in progress: where it is, what it waits for, what it has used, and failures as they are found. */
import { Empty, Panel } from '../../ui/panel.tsx'
import type { Schemas } from '../api.ts'
import { UsageTable } from '../overview/usage.tsx'
import { WordsBadge } from '../verdict.tsx'
import { liveFailures, liveState } from './follow.ts'
import { LiveProblem } from './live-problem.tsx'
import { Queue, RerunButton } from './rerun.tsx'

const phases: Readonly<Record<Schemas['LiveState']['phase'], string>> = {
  preparing: 'Preparing: nothing was sent yet but what the plan needs',
  running: 'Running',
  finishing: 'Writing the reports',
  ended: 'Ended',
}

/** The first run of a session, of which nothing can be read yet. */
export function LiveView() {
  const state = liveState.value
  return (
    <main id="main" class="live">
      <h1>A run is in progress</h1>
      <LiveProblem />
      {state ? (
        <>
          <Course state={state} />
          <Failures failed={state.failed} />
        </>
      ) : (
        <p class="soft">Loading…</p>
      )}
    </main>
  )
}

function Course({ state }: { state: Schemas['LiveState'] }) {
  const { phase, seconds, usage } = state
  return (
    <>
      <Panel title={phases[phase]} aside={<span class="soft number">{Math.round(seconds)} s</span>}>
        <Progress state={state} />
        <Queue />
      </Panel>
      <Panel title="Usage">
        <UsageTable usage={usage} />
      </Panel>
    </>
  )
}

function Progress({ state: { at, of, left, title, scenario, waiting } }: { state: Schemas['LiveState'] }) {
  return (
    <>
      {of > 0 && (
        <>
          <progress max={of} value={at} aria-label="Scenarios" />
          <p>
            {at} of {of} scenarios have ended{left !== '' && `, ${left}`}: {title}{' '}
            <span class="soft mono">{scenario}</span>
          </p>
        </>
      )}
      {waiting !== '' && <p class="doubt">{waiting}</p>}
    </>
  )
}

function Failures({ failed }: { failed: number }) {
  const failures = liveFailures.value
  return (
    <Panel
      title={`Failures (${failed})`}
      aside={failures.length > 0 && <RerunButton checks={null}>Run all failed again</RerunButton>}
    >
      {failures.length === 0 && <Empty>None so far.</Empty>}
      <ul class="bare rows" aria-live="polite">
        {failures.map(({ check, clause, words, message }) => (
          <li key={check}>
            <p class="row">
              <WordsBadge words={words} /> <span class="mono">{clause}</span>
              <span class="soft">{check}</span>
              <RerunButton checks={[check]}>Run again</RerunButton>
            </p>
            <p>{message}</p>
          </li>
        ))}
      </ul>
      {failed > failures.length && <p class="soft">and {failed - failures.length} more.</p>}
    </Panel>
  )
}
