/** Judges whether a task continues unread, from a late first read and immediate further reads. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { fail, given, inconclusive, pass } from '../../scenario/expect.ts'
import { everyRead, hasKnownState, isFinal, stateShown, unknownTask } from './task.ts'

/** The most milliseconds for all reads to count as immediate. */
const atOnceMs = 2_000

/** The work cannot continue by itself. */
export function atRest(read: Exchange, dialect: Dialect): boolean {
  const state = stateShown(read, dialect)
  return isFinal(state) || state === 'input_required'
}

/** The successive states, without repetitions. */
function stepsOf(reads: readonly Exchange[], dialect: Dialect): readonly string[] {
  const states = reads.map((read) => stateShown(read, dialect) ?? 'unknown')
  return states.filter((state, i) => state !== states[i - 1])
}

export function stateSteps(reads: readonly Exchange[], dialect: Dialect): string {
  return stepsOf(reads, dialect).join(' → ')
}

/**
 * Unchanged for `waitedMs`, and then at least two states further within immediate reads. One change proves nothing:
 * the first read may come from a cache that it refreshed. Nor does a state that is shown again: replicas may lag
 * behind.
 */
export function movedByReads(reads: readonly Exchange[], dialect: Dialect, waitedMs: number): boolean {
  const [first, last] = [reads[0], reads.at(-1)]
  if (!first || !last || atRest(first, dialect)) return false
  if (everyRead(reads, (read) => hasKnownState(read, dialect)).is !== 'pass') return false
  const steps = stepsOf(reads, dialect)
  const tookMs = last.endedAt - first.sentAt
  return (
    steps.length >= 3 && new Set(steps).size === steps.length && tookMs <= Math.min(atOnceMs, waitedMs / 4)
  )
}

export interface UnreadTask {
  readonly reads: readonly Exchange[]
  /** Reads of another task, started later and left unread for twice as long. */
  readonly again: readonly Exchange[]
  readonly stranger: Exchange
}

/**
 * Fails only if two tasks, unread for different times that both exceed the declared one, then changed through the
 * same states with their reads. `seen` is read only as far as needed: requests that were not sent have no verdict.
 */
export function continuesUnread(seen: UnreadTask, dialect: Dialect, waitedMs: number): Judgement {
  const { reads } = seen
  const [first] = reads
  if (!first) return inconclusive('no task was read')
  return given(hasKnownState(first, dialect), () => {
    // A server that shows the same state for any id has shown nothing about this task.
    if (atRest(first, dialect)) return given(unknownTask(seen.stranger, dialect), () => pass)
    const { again } = seen
    const [steps, others] = [stateSteps(reads, dialect), stateSteps(again, dialect)]
    if (!movedByReads(reads, dialect, waitedMs) || !movedByReads(again, dialect, 2 * waitedMs))
      return inconclusive(
        `a task that was late was ${steps} when it was read, and another one ${others}: its reads need not be why`,
      )
    if (steps !== others)
      return inconclusive(`one task was ${steps} when it was read, and another one ${others}`)
    const seconds = waitedMs / 1_000
    return fail(
      `a final state or \`input_required\` after ${seconds} s without a read`,
      `no progress in ${seconds} s, then ${steps} in ${reads.length} reads; the same of another task after ${2 * seconds} s`,
      reads.at(-1),
    )
  })
}
