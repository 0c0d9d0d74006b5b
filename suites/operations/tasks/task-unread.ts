/** A task that is read for the first time when its work should be done. */
import type { Driver } from '../../scenario/driver.ts'
import { scenario } from '../../scenario/scenario.ts'
import { stateShown } from '../assertions/task.ts'
import { atRest, continuesUnread, movedByReads, stateSteps } from '../assertions/unread-task.ts'
import type { OperationFixture } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { mustBegin, taskPath } from './task-requests.ts'
import { unusedIdLike } from '../access/unused-ids.ts'

/** Enough for two changes if a task changes only with every second read. */
const readsMost = 5

type Names = 'receipts[]' | 'reads[]' | 'again[]' | 'stranger'

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

/** Late work may have changed by chance during the reads, so another task is left unread for twice as long. */
async function readAnother(t: Driver<Names>, path: string): Promise<void> {
  const other = await mustBegin(t, 'receipts', t.operation)
  if (other.path === path) t.stop('a second receipt shows the same task')
  await t.wait(2 * lateMs(t.operation))
  for (let read = 0; read < readsMost; read++) await t.readMore('again', other.path)
}

export const unread = scenario({
  title: 'an unread task ends within the declared time, or needs input',
  exchanges: ['receipts[]', 'reads[]', 'again[]', 'stranger'],
  needs: { operation: { receipt: 'accepted', doneWithin: true }, optIn: ['slow'] },
  cost: { requests: 2 * (1 + readsMost), turns: 0 },
  async run(t) {
    const ms = lateMs(t.operation)
    t.note('waitedMs', ms)
    const { taskId, path } = await mustBegin(t, 'receipts', t.operation)
    await t.wait(ms)
    const first = await t.readMore('reads', path)
    if (atRest(first, t.dialect)) await t.read('stranger', taskPath(unusedIdLike(t, taskId)))
    else {
      await mustMove(t, path, first)
      await readAnother(t, path)
    }
  },
  judge: {
    'TASK-CONTINUES': (seen, { dialect, notes }) => continuesUnread(seen, dialect, Number(notes['waitedMs'])),
  },
})
