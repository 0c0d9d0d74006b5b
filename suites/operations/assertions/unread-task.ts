/** Whether the work of a task continues unread, from reads of which the first is late and the others follow at once. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { broken, given, inconclusive, pass } from '../../scenario/expect.ts'
import { everyRead, hasKnownState, isFinal, stateShown, unknownTask } from './task.ts'

/** So long the reads may take in all, in milliseconds, to count as following each other at once. */
const atOnceMs = 2_000

/** The work has come as far as it can by itself. */
export function atRest(read: Exchange, dialect: Dialect): boolean {
  const state = stateShown(read, dialect)
  return isFinal(state) || state === 'input_required'
}

/** The states one after the other, each once as long as it lasts. */
function stepsOf(reads: readonly Exchange[], dialect: Dialect): readonly string[] {
  const states = reads.map((read) => stateShown(read, dialect) ?? 'unknown')
  return states.filter((state, i) => state !== states[i - 1])
}

export function stateSteps(reads: readonly Exchange[], dialect: Dialect): string {
  return stepsOf(reads, dialect).join(' → ')
}

/**
 * Unmoved for `waitedMs`, and then at least two states further within reads that follow each other at once. One move
 * proves nothing: the first read may have been answered from a cache that it renewed. Neither does a state that is
 * shown again: the reads may have been answered by replicas of which some lag behind.
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
  /** Reads of another task, begun after those and left alone for twice as long. */
  readonly again: readonly Exchange[]
  /** The read of a task that does not exist. */
  readonly stranger: Exchange
}

/**
 * Broken only where two tasks, unread for different times that are both longer than declared, then moved through the
 * same states with their reads. `seen` is read as far as needed: what was not sent has no verdict.
 */
export function continuesUnread(seen: UnreadTask, dialect: Dialect, waitedMs: number): Judgement {
  const { reads } = seen
  const [first] = reads
  if (!first) return inconclusive('no task was read')
  return given(hasKnownState(first, dialect), () => {
    // A server that shows the same state for any id has shown nothing of this task.
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
    return broken(
      `a final state or \`input_required\` after ${seconds} s without a read`,
      `no progress in ${seconds} s, then ${steps} in ${reads.length} reads; the same of another task after ${2 * seconds} s`,
      reads.at(-1),
    )
  })
}
