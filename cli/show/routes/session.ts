/** The routes of a page of `check --ui`. */
import type { Examination, QueuedRun, TargetFileText } from '../../../spec/types/show.ts'
import { newestVerdicts } from '../live/known-checks.ts'
import type { RunSession } from '../live/session.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import type { TargetFileEditor } from '../live/target-file.ts'
import { bodyMember, bodyText } from './body.ts'
import { RefusedRequest } from './refused-request.ts'

/** Throws a RefusedRequest where runs are only shown. */
export function sessionOf({ session }: Pick<OpenedRuns, 'session'>): RunSession {
  if (session) return session
  throw new RefusedRequest(
    404,
    'This page shows recorded runs only: start `touchstone check TARGET --ui` to run checks.',
  )
}

export function runAgain(runs: OpenedRuns, body: unknown): QueuedRun {
  const { feed, queue } = sessionOf(runs)
  const checks = bodyMember(body, 'checks')
  if (checks === null) return queue.add(null)
  if (!isListOfTexts(checks) || checks.length === 0)
    throw new RefusedRequest(400, '`checks` is a list of ids of checks, or null for all that failed.')
  const known = newestVerdicts(runs.runs.filter(({ id }) => id !== runs.since))
  const unknown = checks.find((check) => !known.has(check) && !feed.planned.has(check))
  if (unknown !== undefined)
    throw new RefusedRequest(
      404,
      `${unknown}: no run of this session has this check; give the id of one that has run.`,
    )
  return queue.add([...new Set(checks)])
}

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function targetOf(runs: Pick<OpenedRuns, 'session'>): TargetFileEditor {
  const { target } = sessionOf(runs)
  if (target) return target
  throw new RefusedRequest(
    404,
    'This page was started without a target file: start `touchstone check touchstone.yaml --ui`; `touchstone init` writes one.',
  )
}

export const readTargetFile = (runs: OpenedRuns): TargetFileText => targetOf(runs).read()

export const saveTargetFile = (runs: OpenedRuns, body: unknown): TargetFileText =>
  targetOf(runs).save(bodyText(body, 'text'), bodyText(body, 'digest'))

/** What it sends could change the results of a run. */
export function examineTarget(runs: OpenedRuns, body: unknown): Promise<Examination> {
  const [target, text] = [targetOf(runs), bodyText(body, 'text')]
  return sessionOf(runs).queue.alone(() => target.examine(text))
}
