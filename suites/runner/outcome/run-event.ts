/** What a run tells of itself that belongs into its journal: plain data, which can be handed to another thread. */
import type { Opening, Plan } from '../../../reports/bundle/record.ts'
import type { Progress } from '../progress.ts'

export type RunEvent =
  | { is: 'planned'; planned: { plan: Plan }; opening: Opening }
  | Extract<Progress, { is: 'exchange' | 'told' }>

/** Null for what is only of interest while it runs. */
export function eventOf(progress: Progress): RunEvent | null {
  if (progress.is === 'planned')
    return { is: 'planned', planned: { plan: progress.planned.plan }, opening: progress.opening }
  return progress.is === 'exchange' || progress.is === 'told' ? progress : null
}
