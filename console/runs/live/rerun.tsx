/** Runs checks again: at once, or when the run in progress has ended. */
import { act } from '../../state/live.ts'
import { runAgain } from '../api.ts'
import { liveEnd, liveRun, liveState } from './follow.ts'

interface RerunProps {
  /** Null for all that failed. */
  readonly checks: readonly string[] | null
  readonly children: string
}

/** Nothing where recorded runs are shown. */
export function RerunButton({ checks, children }: RerunProps) {
  if (!liveRun.value) return null
  const waits = liveEnd.value === null || (liveState.value?.queued.length ?? 0) > 0
  const done = waits ? 'Queued: it begins when what is before it has ended.' : 'It has begun.'
  return (
    <button
      type="button"
      aria-label={checks === null ? children : `${children}: ${checks.join(', ')}`}
      onClick={() => void act(done, () => runAgain(checks))}
    >
      {children}
    </button>
  )
}

/** What waits for the end of the run in progress. */
export function Queue() {
  const queued = liveState.value?.queued ?? []
  if (queued.length === 0) return null
  return (
    <p role="status">
      <strong>Queued:</strong>{' '}
      {queued
        .map(({ checks }) =>
          checks === null ? 'all failed checks' : checks.length === 1 ? checks[0] : `${checks.length} checks`,
        )
        .join('; ')}
      . <span class="soft">It begins when the run in progress has ended.</span>
    </p>
  )
}
