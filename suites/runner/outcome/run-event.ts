/** The events of a run that its journal records: plain data, which can be sent to another thread. */
import type { Opening, Plan } from '../../../reports/bundle/record.ts'
import type { Progress } from '../progress.ts'

export type RunEvent =
  | { is: 'planned'; planned: { plan: Plan }; opening: Opening }
  | Extract<Progress, { is: 'exchange' | 'scenario-run' }>

/** Null for events that only matter while the run lasts. */
export function eventOf(progress: Progress): RunEvent | null {
  if (progress.is === 'planned')
    return { is: 'planned', planned: { plan: progress.planned.plan }, opening: progress.opening }
  return progress.is === 'exchange' || progress.is === 'scenario-run' ? progress : null
}
