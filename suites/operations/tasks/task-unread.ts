/** A task that is read for the first time when its work should be done. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { stateShown, everyRead, hasKnownState, isAtRest, unknownTask } from '../assertions/task.ts'
import type { OperationFixture } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { mustBegin, taskPath } from './task-requests.ts'
import { unusedIdLike } from '../access/foreign.ts'
import type { Dialect } from '../../config/dialect.ts'
import { fail, given, inconclusive, pass } from '../../scenario/expect.ts'

/** The most milliseconds for all reads to count as immediate. */
const atOnceMs = 2_000

function stepsOf(reads: readonly Exchange[], dialect: Dialect): readonly string[] {
  const states = reads.map((read) => stateShown(read, dialect) ?? 'unknown')
  return states.filter((state, i) => state !== states[i - 1])
}

function stateSteps(reads: readonly Exchange[], dialect: Dialect): string {
  return stepsOf(reads, dialect).join(' → ')
}

/**
 * Unchanged for `waitedMs`, and then at least two states further within immediate reads. One change proves nothing:
 * the first read may come from a cache that it refreshed. Nor does a state that is shown again: replicas may lag
 * behind.
 */
function movedByReads(reads: readonly Exchange[], dialect: Dialect, waitedMs: number): boolean {
  const [first, last] = [reads[0], reads.at(-1)]
  if (!first || !last || isAtRest(first, dialect)) return false
  if (everyRead(reads, (read) => hasKnownState(read, dialect)).is !== 'pass') return false
  const steps = stepsOf(reads, dialect)
  const tookMs = last.endedAt - first.sentAt
  return (
    steps.length >= 3 && new Set(steps).size === steps.length && tookMs <= Math.min(atOnceMs, waitedMs / 4)
  )
}

interface UnreadTask {
  readonly reads: readonly Exchange[]
  /** Reads of another task, started later and left unread for twice as long. */
  readonly again: readonly Exchange[]
  /** Reads of another task: the first one at once, the others past the declared time. */
  readonly polled: readonly Exchange[]
  readonly stranger: Exchange
}

/**
 * Fails only if two tasks, unread for different times that both exceed the declared one, then changed through the
 * same states with their reads. `seen` is read only as far as needed: requests that were not sent have no verdict.
 */
function continuesUnread(seen: UnreadTask, dialect: Dialect, waitedMs: number): Judgement {
  const { reads } = seen
  const [first] = reads
  if (!first) return inconclusive('no task was read')
  return given(hasKnownState(first, dialect), () => {
    // A server that shows the same state for any id has shown nothing about this task.
    if (isAtRest(first, dialect))
      return given(unknownTask(seen.stranger, dialect), () => continuesPolled(seen.polled, dialect))
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

/** A task that was read at once does not stay at what that read showed, where an unread one was done in the time. */
function continuesPolled(polled: readonly Exchange[], dialect: Dialect): Judgement {
  const last = polled.at(-1)
  if (!last || stepsOf(polled, dialect).length > 1 || isAtRest(last, dialect)) return pass
  return given(
    everyRead(polled, (read) => hasKnownState(read, dialect)),
    () =>
      fail(
        'progress, as of a task that was not read',
        `${stateSteps(polled, dialect)} in ${polled.length} reads`,
        last,
      ),
  )
}

/** Enough for two changes if a task changes only with every second read. */
const readsMost = 5

type Names = 'receipts[]' | 'reads[]' | 'again[]' | 'polled[]' | 'stranger'

/** Past the declared time, with a margin for work that is just due. */
const lateMs = ({ doneWithinSeconds = 0 }: OperationFixture): number => doneWithinSeconds * 1_100 + 1_000

/** Continues reading at once, and ends the run if the state does not change. */
async function mustMove(t: Driver<Names>, path: string, first: Exchange): Promise<void> {
  const reads = [first]
  while (reads.length < readsMost) reads.push(await t.readMore('reads', path))
  if (reads.some((read) => stateShown(read, t.dialect) === null)) t.stop('a read of the task shows no state')
  const ms = lateMs(t.operation)
  if (movedByReads(reads, t.dialect, ms)) return
  const steps = stateSteps(reads, t.dialect)
  t.notDoneWithin(t.operation, `its task, read for the first time after ${ms / 1_000} s, was ${steps}`)
}

async function poll(t: Driver<Names>, before: string): Promise<void> {
  const { path } = await mustBegin(t, 'receipts', t.operation)
  if (path === before) return
  for (const waits of [0, 1, 2]) {
    if (waits > 0) await t.wait(waits * lateMs(t.operation))
    if (isAtRest(await t.readMore('polled', path), t.dialect)) return
  }
}

export const unread = scenario({
  title: 'an unread task ends within the declared time, or needs input',
  exchanges: ['receipts[]', 'reads[]', 'again[]', 'polled[]', 'stranger'],
  needs: { operation: { receipt: 'accepted', doneWithin: true }, optIn: ['slow'] },
  cost: { requests: 2 * (1 + readsMost), turns: 0 },
  async run(t) {
    const ms = lateMs(t.operation)
    t.note('waitedMs', ms)
    const { taskId, path } = await mustBegin(t, 'receipts', t.operation)
    await t.wait(ms)
    const first = await t.readMore('reads', path)
    if (isAtRest(first, t.dialect)) {
      await t.read('stranger', taskPath(unusedIdLike(t, taskId)))
      await poll(t, path)
    } else {
      await mustMove(t, path, first)
      // Late work may have changed by chance during the reads, so another task is left unread for twice as long.
      const other = await mustBegin(t, 'receipts', t.operation)
      if (other.path === path) t.stop('a second receipt shows the same task')
      await t.wait(2 * lateMs(t.operation))
      for (let read = 0; read < readsMost; read++) await t.readMore('again', other.path)
    }
  },
  judge: {
    'TASK-CONTINUES': (seen, { dialect, notes }) => continuesUnread(seen, dialect, Number(notes['waitedMs'])),
  },
})
