/** The events of a run that its journal records: plain data, which can be sent to another thread. */
import type { RunEvent } from '../../../reports/bundle/journal/writer.ts'
import type { Progress } from '../run-loop.ts'

export type { RunEvent }

/** Null for events that only matter while the run lasts. */
export function eventOf(progress: Progress): RunEvent | null {
  if (progress.is === 'planned')
    return { is: 'planned', planned: { plan: progress.planned.plan }, opening: progress.opening }
  return progress.is === 'exchange' || progress.is === 'scenario-run' ? progress : null
}
