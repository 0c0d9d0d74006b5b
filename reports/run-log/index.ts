/** Logs of runs: every run of a target, whether it was handed over or not. */
export { openRunLogs, type RunLogAt, type RunLogs } from './collection.ts'
export { headProblems, headsOf, readHeads, type PublishedHeads, type RunLogHead } from './head.ts'
export {
  historyOf,
  outcomesIn,
  outcomeWords,
  runsByVersion,
  type LoggedRun,
  type RunHistory,
  type VersionRuns,
} from './runs.ts'
