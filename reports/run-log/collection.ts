/** All logs of a file or a folder, verified together. */
import type { KeyObject } from 'node:crypto'
import { runLogFiles } from './place.ts'
import { readRunLog, type RunLog } from './read.ts'

export interface RunLogAt extends RunLog {
  path: string
}

export interface RunLogs {
  logs: readonly RunLogAt[]
  /** Of all logs, each with its file; empty: verified, but for ends that were cut off. */
  problems: readonly string[]
}

/** `keys`: of allowed signers; null: signatures are not verified. Throws a BundleError for what cannot be read. */
export function openRunLogs(path: string, keys: readonly KeyObject[] | null): RunLogs {
  const logs = runLogFiles(path).map((file) => ({ path: file.path, ...readRunLog(file.bytes, keys) }))
  const first = new Map(logs.toReversed().map((log) => [log.id, log.path]))
  const problems = logs.flatMap(({ path: file, id, problems: own }) => [
    ...own.map((problem) => `${file}: ${problem}`),
    ...(id === null || first.get(id) === file
      ? []
      : [`${file}: begins as ${first.get(id)} does: name one of them`]),
  ])
  return { logs, problems }
}
