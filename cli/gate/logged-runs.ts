/** What a log of runs says against a release that the statements allow: a failure may have been withheld. */
import type { KeyObject } from 'node:crypto'
import { counted } from '../../reports/html/elements/words.ts'
import { headProblems, openRunLogs, runsByVersion, type LoggedRun } from '../../reports/run-log/index.ts'
import { exitCodes } from '../exit-codes.ts'
import { headsAt } from '../run-log/published-heads.ts'
import type { Demand, GateAnswer, StatedRun } from './decide.ts'
import { isDemandedKind } from './service-kinds.ts'

interface LogPlaces {
  log?: string
  /** Of a head of it. */
  head?: string
}

/** `by`: the pass that decided. Null if nothing is against it, or there is no log. Throws BundleError, UsageError and DownloadFailed. */
export async function objectionFrom(
  { log: path, head }: LogPlaces,
  keys: readonly KeyObject[],
  by: StatedRun,
  demand: Demand,
): Promise<GateAnswer | null> {
  if (path === undefined) return null
  const opened = openRunLogs(path, keys)
  const { logs } = opened
  const problems = [
    ...opened.problems,
    ...(head === undefined ? [] : headProblems(opened, await headsAt(head))),
  ]
  if (problems.length > 0)
    return notTested(
      `the log ${path} is not verified (${counted(problems.length, 'problem')}; see \`touchstone log verify\`)`,
    )
  const all = runsByVersion(logs).find(
    ({ target, version }) => target === demand.target && version === demand.version,
  )
  const runs = all?.runs.filter(({ target }) => isDemandedKind(target, demand)) ?? []
  const stated = runs.find(({ end }) => end?.result?.manifest === by.statement.subjects.manifest)
  if (stated?.end == null) return notTested(`the log ${path} does not have the run of the newest statement`)
  const { at } = stated.end
  const failed = runs.find((run) => (run.end?.at ?? '') > at && hasFailed(run, demand.accept))
  if (failed !== undefined)
    return {
      exitCode: exitCodes.nonconformant,
      reason: `a later run ${named(failed)} failed, and its statement is missing`,
    }
  const unfinished = runs.find((run) => !hasFinished(run) && run.startedAt >= stated.startedAt)
  if (unfinished === undefined) return null
  return notTested(`a later run ${named(unfinished)} did not finish: wait for it, or run it again`)
}

const named = ({ id, startedAt }: LoggedRun): string => `(${id}, started ${startedAt})`

const notTested = (reason: string): GateAnswer => ({ exitCode: exitCodes.lessExercised, reason })

/** Of one that was killed, nothing but its start is in the log, and it may have failed. */
const hasFinished = ({ end }: LoggedRun): boolean => end?.result?.lifecycle === 'finished'

const hasFailed = ({ end }: LoggedRun, accept: Demand['accept']): boolean =>
  accept === 'gate' ? end?.exitCode === exitCodes.nonconformant : end?.result?.conformance === 'nonconformant'
