/** Above every view: the run that is in progress again, or how the last one ended. */
import { runAddress } from '../address.ts'
import { Queue } from './rerun.tsx'
import { liveEnd, liveRun, liveState } from './follow.ts'
import { LiveProblem } from './live-problem.tsx'

export function LiveBar() {
  const [run, state, end] = [liveRun.value, liveState.value, liveEnd.value]
  return (
    <div class="live-bar">
      <LiveProblem />
      {run?.checks && (
        <p role="status">{end ? <Ended run={run} end={end} /> : <Going run={run} state={state} />}</p>
      )}
      <Queue />
    </div>
  )
}

type Begun = NonNullable<typeof liveRun.value>

function Going({ run, state }: { run: Begun; state: typeof liveState.value }) {
  return (
    <>
      <strong>Running again:</strong> {countOf(run)}
      {state && state.of > 0 && `, ${state.at} of ${state.of} scenarios have ended: ${state.title}`}
      {state && state.waiting !== '' && <span class="doubt">; {state.waiting}</span>}
    </>
  )
}

function Ended({ run, end }: { run: Begun; end: NonNullable<typeof liveEnd.value> }) {
  if (end.run === null)
    return (
      <>
        <strong class="bad">✗ Not run again:</strong> {end.problem}
      </>
    )
  return (
    <>
      <strong>Run again:</strong> {countOf(run)}, exit code {end.exitCode}.{' '}
      <a href={runAddress('overview', '', { run: end.run })}>Open {end.run}</a>
    </>
  )
}

const countOf = ({ checks }: Begun): string =>
  checks?.length === 1 ? (checks[0] ?? '') : `${checks?.length ?? 0} checks`
