/** The run that is in progress, if this page was opened with one. */
import type { LiveRun } from '../../../spec/types/show.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { Absent } from './absent.ts'

export function liveRun({ live }: OpenedRuns): LiveRun {
  const state = live?.()
  if (state) return state
  throw new Absent('No run is in progress: this page was opened with recorded runs.')
}
