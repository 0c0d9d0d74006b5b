/** What a log of runs says against a release that the statements allow: a failure may have been withheld. */
import type { KeyObject } from 'node:crypto'
import { counted } from '../../reports/html/elements/words.ts'
import { openRunLogs, runsByVersion, type LoggedRun } from '../../reports/run-log/index.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Demand, GateAnswer, StatedRun } from './decide.ts'

/** `by`: what decided, if it passed. Null if nothing does, or there is no log. Throws a BundleError for a log that cannot be read. */
export function objectionFrom(
  path: string | undefined,
  keys: readonly KeyObject[],
  by: StatedRun | null,
  { target, version, accept }: Demand,
): GateAnswer | null {
  if (path === undefined || by === null) return null
  const { logs, problems } = openRunLogs(path, keys)
  if (problems.length > 0)
    return notTested(`the log ${path} is not verified (${counted(problems.length, 'problem')})`)
  const runs = runsByVersion(logs).find((one) => one.target === target && one.version === version)?.runs ?? []
  const stated = runs.find(({ end }) => end?.result?.manifest === by.statement.subjects.manifest)
  if (stated?.end == null) return notTested(`the log ${path} does not have the run of the newest statement`)
  const { at } = stated.end
  const later = runs.find((run) => (run.end?.at ?? '') > at && hasFailed(run, accept))
  if (later === undefined) return null
  const reason = `a later run (${later.id}, started ${later.startedAt}) failed, and its statement is missing`
  return { exitCode: exitCodes.nonconformant, reason }
}

const notTested = (reason: string): GateAnswer => ({ exitCode: exitCodes.lessExercised, reason })

const hasFailed = ({ end }: LoggedRun, accept: Demand['accept']): boolean =>
  accept === 'gate' ? end?.exitCode === exitCodes.nonconformant : end?.result?.conformance === 'nonconformant'
