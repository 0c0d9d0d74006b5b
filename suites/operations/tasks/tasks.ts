/** The task of an accepted receipt: reads of it up to its end, and reads that show no task. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { status } from '../../assertions/answer.ts'
import { all, every, given, inconclusive, inTurn } from '../../scenario/expect.ts'
import {
  everyRead,
  hasState,
  isAtRest,
  isFinal,
  stateShown,
  staysFinal,
  readableTask,
  statePaths,
  statuses,
  taskMembers,
  tasksApart,
  unknownTask,
} from '../assertions/task.ts'
import { answersJson } from '../assertions/catalogue.ts'
import { comesWith, isReceiptLike, leadsToTask } from '../assertions/receipt.ts'
import type { Dialect } from '../../config/dialect.ts'
import { growth, onceByEffect, onceByIds } from '../assertions/done-once.ts'
import { measureGrowth, mostGrowthReads } from '../execution/effect-growth.ts'
import { taskIdOf } from '../assertions/pointers/pointer-receipt.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { mostPolls, pollIntervals } from './polling.ts'
import { begin, longOperations, readToItsEnd, taskPath, type Begun } from './task-requests.ts'
import { foreignReads, notForStrangers, readAsStranger, unusedIdLike } from '../access/foreign.ts'

const most = 7

export const states = scenario({
  title:
    'the task of every accepted operation can be read, in a known state each time, after a disconnect too, and a finished one stays so, and nobody else reads any',
  exchanges: [
    ...(['receipts[]', 'tasks[]', 'resent[]', 'ends[]', 'leaving', 'after'] as const),
    ...(['strangers[]', 'keyless', ...foreignReads] as const),
  ],
  needs: {
    operation: { receipt: 'accepted' },
    also: { other: { kind: 'second-of-account' }, stranger: { kind: 'other-account' } },
  },
  cost: { requests: most * (1 + mostPolls.short) + 9 + 2 * (mostPolls.long + 6), turns: 0 },
  async run(t) {
    const begun: Begun[] = []
    for (const operation of longOperations(t).slice(0, most)) {
      const task = await begin(t, 'receipts', operation)
      if (!task) continue
      begun.push(task)
      // At once: a state may pass soon.
      const read = await readToItsEnd(t, 'tasks', task.path, pollIntervals.short, isAtRest)
      if (begun.length <= 2) await t.optional(['ends'], () => readEnd(t, task, read))
    }
    const first = begun[0] ?? t.stop('no receipt shows the id of a task; declare `dialect.receipt.taskId`')
    // The most recently used connection is used first: the one aborted here started the task.
    await t.read('leaving', first.path, { timeouts: { abortAfterBytes: 1 } })
    await t.settle(200)
    await t.read('after', first.path)
    await t.readMore('strangers', taskPath(unusedIdLike(t, first.taskId)))
    await t.read('keyless', first.path, { as: null })
    // What is not over yet is no end that a stranger's read could pass for.
    await readAsStranger(t, (begun.at(-1) ?? first).path)
  },
  judge: {
    'EXEC-RECEIPT': ({ receipts, tasks }, { dialect }) =>
      whereTasksAre(tasks, dialect, () => every(receipts, (one) => isReceiptLike(one, dialect))),
    'RCPT-ACCEPTED-TASK': ({ receipts, tasks }, { dialect }) =>
      inTurn(every(tasks.slice(0, 1), answersJson), () =>
        whereTasksAre(tasks, dialect, () =>
          all(tasksApart(receipts, dialect), ...receipts.map((one) => leadsToTask(one, dialect))),
        ),
      ),
    'TASK-READ': ({ tasks }) => everyRead(tasks, readableTask),
    'TASK-STATE': ({ tasks }, { dialect }) => everyRead(tasks, (read) => hasState(read, dialect)),
    'TASK-DURABLE': ({ after, tasks }, { dialect }) =>
      given(
        every(tasks.slice(0, 1), (read) => hasState(read, dialect)),
        () => all(readableTask(after), everyRead(tasks, readableTask)),
      ),
    'TASK-FINAL': ({ tasks, ends, after }, { dialect }) => staysFinal([...tasks, ...ends, after], dialect),
    'SCOPE-NO-KEY': ({ after, keyless }, { dialect }) =>
      given(hasState(after, dialect), () => status(keyless, 401, 404)),
    'SCOPE-FOREIGN': (scenario) => notForStrangers(scenario, 'a task of another account'),
    'TASK-UNKNOWN': ({ after, strangers }, { dialect }) =>
      given(hasState(after, dialect), () => every(strangers, (stranger) => unknownTask(stranger, dialect))),
  },
  observe: {
    'GAP-RECEIPT-STATUS': ({ receipts: [receipt] }) =>
      receipt ? comesWith(receipt, 'accepted') : inconclusive('nothing was accepted'),
    'GAP-TASK-FIELDS': ({ tasks }) => taskMembers(tasks),
    'GAP-TASK-TRANSITIONS': ({ tasks }, { dialect }) => statePaths(tasks, dialect),
    'GAP-OPERATION-UNKNOWN': ({ strangers }) => statuses(strangers),
  },
})

const timesSame = 3

export const retried = scenario({
  title: 'a write that goes on as a task, and is sent again with its key, is done once',
  exchanges: ['same[]', 'other', 'ends[]', 'effect[]'],
  needs: { operation: { receipt: 'accepted', write: true, effect: 'preferred' } },
  cost: { requests: timesSame + 3 + 2 * mostPolls.long + mostGrowthReads, turns: 0 },
  async run(t) {
    const { operation } = t
    const begunBy = async (times: number): Promise<ReadonlySet<string | null>> => {
      const [request, ids] = [{ key: t.key(), input: t.inputOf(operation) }, new Set<string | null>()]
      for (let sent = 0; sent < times; sent++)
        ids.add(t.taskOf(await t.executeMore('same', operation, request)))
      return ids
    }
    const ids = await begunBy(timesSame)
    await t.execute('other', operation)
    if (ids.size < 2 || !operation.effect) return
    await measureGrowth(t, () => t.effectOf('effect', operation), {
      [growth]: async () => {
        for (const id of await begunBy(2))
          if (id !== null) await readToItsEnd(t, 'ends', taskPath(id), pollIntervals.long)
      },
    })
  },
  judge: {
    'EXEC-RETRY-ONE-RUN': ({ same: all, other }, context) => {
      const [same, byEffect] = [all.slice(0, timesSame), onceByEffect(all, context)]
      return onceByIds({ same, other }, 'accepted', taskIdOf, context.dialect, byEffect)
    },
  },
})

/** Of a finished task, as soon as it is: with each key, after its request was repeated, and after a while. */
async function readEnd(
  t: Driver<'resent[]' | 'ends[]'>,
  { operation, path, taskId, request }: Begun,
  seen: Exchange,
): Promise<void> {
  const read = isAtRest(seen, t.dialect)
    ? seen
    : await readToItsEnd(t, 'ends', path, pollIntervals.long, isAtRest)
  if (!isFinal(stateShown(read, t.dialect))) {
    await t.enter('task.finished', { taskId, operationId: operation.id })
    await readToItsEnd(t, 'ends', path, pollIntervals.short)
  }
  if (t.has('other')) await t.readMore('ends', path, { as: 'other' })
  if (request.key !== undefined) await t.executeMore('resent', operation, request)
  await t.settle(500)
  await t.readMore('ends', path)
}

/** A server that returns one receipt for everything has no tasks, so its receipts prove nothing. */
function whereTasksAre(tasks: readonly Exchange[], dialect: Dialect, judge: () => Judgement): Judgement {
  return given(
    everyRead(tasks, (read) => hasState(read, dialect)),
    judge,
  )
}
