/**
 * Several attempts at one scenario: which exchanges belong to each, and what they found together. What fails in one and
 * not in another is flaky. Works on a recorded run just the same.
 */
import { isFlaky, type Finding, type ScenarioRun, type Verdict } from '../../../bundle/record.ts'
import type { Exchange } from '../../wire/exchange.ts'

export interface Attempt {
  run: ScenarioRun
  has: (exchange: Exchange) => boolean
}

export type ScenarioAttempts = ReadonlyMap<string, readonly Attempt[]>

/** An attempt that the end of a run cut off says nothing about the target. */
export function attemptsByScenario(scenarioRuns: readonly ScenarioRun[]): ScenarioAttempts {
  const byScenario = Map.groupBy(scenarioRuns, ({ scenario }) => scenario)
  const attempts = [...byScenario].map(([id, runs]) => {
    const made = runs.map((run, at) => {
      const [from = 0, until = Infinity] = [run.since, runs[at + 1]?.since]
      const has = (one: Exchange): boolean => one.scenario === id && one.id >= from && one.id < until
      return { run, has }
    })
    return [id, made.filter(({ run }) => !wasCutOff(run))] as const
  })
  return new Map(attempts.filter(([, made]) => made.length > 0))
}

export function wasCutOff({ ending }: ScenarioRun): boolean {
  return ending?.is === 'not-exercised' && ending.reason === 'interrupted'
}

const decided: readonly Verdict[] = ['pass', 'warn', 'observed', 'not-applicable']

/** Check by check, what the attempts found. */
export function asOne(made: readonly (readonly Finding[])[]): readonly Finding[] {
  const [first = []] = made
  return first.map((finding, at) =>
    ofAll(
      finding,
      made.flatMap((findings) => findings[at] ?? []),
    ),
  )
}

/** A failure of any counts; without one, the first result, and without that how the last attempt went. */
function ofAll(first: Finding, all: readonly Finding[]): Finding {
  const wrong = all.find(({ verdict }) => verdict === 'error')
  const failures = all.filter(({ verdict }) => verdict === 'fail')
  const others = all.filter(({ verdict }) => decided.includes(verdict))
  const of = failures.length + others.length
  const [failure] = failures
  if (wrong || !failure) return wrong ?? others[0] ?? all.at(-1) ?? first
  return of === 1 ? failure : { ...failure, attempts: { failed: failures.length, of } }
}

/**
 * A rule is looked at with each attempt in turn, where a scenario has several: `first` is with the first of each. What
 * fails counts as often as there were attempts at the scenario that it cites.
 */
export function inLooks(
  first: readonly Finding[],
  attempts: ScenarioAttempts,
  journal: readonly Exchange[],
  look: (at: number) => readonly Finding[],
): readonly Finding[] {
  const most = Math.max(1, ...[...attempts.values()].map(({ length }) => length))
  const later = Array.from({ length: most - 1 }, (_, at) => look(at + 2))
  if (later.length === 0) return first
  return first.map((finding, at) => {
    const all = [finding, ...later.flatMap((findings) => findings[at] ?? [])]
    const [shown] = all.find(({ verdict }) => verdict === 'fail')?.evidence ?? []
    const cited = journal.find(({ id }) => id === shown)?.scenario ?? ''
    return ofAll(finding, shown === undefined ? all : all.slice(0, attempts.get(cited)?.length ?? 1))
  })
}

/** It failed more than once, and every time. */
export function isConfirmed(finding: Pick<Finding, 'attempts'>): boolean {
  return finding.attempts !== undefined && !isFlaky(finding)
}
