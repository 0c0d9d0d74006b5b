/** A run while it is in progress: where it is, what it waits for, what it has used, and failures as they are found. */
import { useEffect } from 'preact/hooks'
import { useLive } from '../state/live.ts'
import { Empty, Loaded, Panel } from '../ui/panel.tsx'
import { readLiveRun, type Schemas } from './api.ts'
import { UsageTable } from './overview/usage.tsx'
import { WordsBadge } from './verdict.tsx'

const everyMs = 500

const phases: Readonly<Record<Schemas['LiveRun']['phase'], string>> = {
  preparing: 'Preparing: nothing was sent yet but what the plan needs',
  running: 'Running',
  finishing: 'Writing the reports',
  ended: 'Ended',
}

export function LiveView({ onEnd }: { onEnd: () => void }) {
  const live = useLive(readLiveRun, 'live', everyMs)
  const phase = live.value?.phase
  useEffect(() => {
    if (phase === 'ended') onEnd()
  }, [phase])
  return (
    <main id="main" class="live">
      <h1>A run is in progress</h1>
      <Loaded live={live}>{(run) => <Course run={run} />}</Loaded>
    </main>
  )
}

function Course({ run }: { run: Schemas['LiveRun'] }) {
  const { phase, at, of, scenario, title, waiting, left, seconds, usage, failed, failures } = run
  return (
    <>
      <Panel title={phases[phase]} aside={<span class="soft number">{Math.round(seconds)} s</span>}>
        {of > 0 && (
          <>
            <progress max={of} value={at} aria-label="Scenarios" />
            <p>
              Scenario {at} of {of}
              {left !== '' && `, ${left}`}: {title} <span class="soft mono">{scenario}</span>
            </p>
          </>
        )}
        {waiting !== '' && <p class="doubt">{waiting}</p>}
      </Panel>
      <Panel title="Usage">
        <UsageTable usage={usage} />
      </Panel>
      <Panel title={`Failures (${failed})`}>
        {failures.length === 0 && <Empty>None so far.</Empty>}
        <ul class="bare rows" aria-live="polite">
          {failures.map(({ check, clause, words, message }) => (
            <li key={check}>
              <WordsBadge words={words} /> <span class="mono">{clause}</span>{' '}
              <span class="soft">{check}</span>
              <p>{message}</p>
            </li>
          ))}
        </ul>
        {failed > failures.length && <p class="soft">and {failed - failures.length} more.</p>}
      </Panel>
    </>
  )
}
