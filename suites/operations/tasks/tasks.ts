/** The task of an accepted receipt: reads of it, after a disconnect too, and reads of one that does not exist. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { all, every, given } from '../../scenario/expect.ts'
import {
  everyRead,
  hasKnownState,
  hasState,
  readableTask,
  statePaths,
  statuses,
  taskMembers,
  tasksApart,
  unknownTask,
} from '../assertions/task.ts'
import { hasKnownStatus, isReceiptLike, leadsToTask } from '../assertions/receipt.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { mostPolls, pollUntil, pollIntervals } from './polling.ts'
import { begin, longOperations, mustBegin, readToItsEnd, taskPath } from './task-requests.ts'
import { unusedIdLike } from '../access/unused-ids.ts'

/** The most operations whose tasks are read. */
const most = 12

export const states = scenario({
  title: 'the task of every accepted operation can be read, in a known state each time',
  exchanges: ['receipts[]', 'tasks[]'],
  needs: { operation: { receipt: 'accepted' } },
  cost: { requests: most * (1 + mostPolls.short) + 2, turns: 0 },
  async run(t) {
    const begun = []
    for (const operation of longOperations(t).slice(0, most)) {
      const task = await begin(t, 'receipts', operation)
      if (task) begun.push(task)
    }
    if (begun.length === 0) t.stop('no receipt shows the id of a task; declare `dialect.receipt.taskId`')
    for (const { path } of begun) await readToItsEnd(t, 'tasks', path, pollIntervals.short)
  },
  judge: {
    'EXEC-RECEIPT': ({ receipts, tasks }, { dialect }) =>
      whereTasksAre(tasks, dialect, () => every(receipts, (one) => isReceiptLike(one, dialect))),
    'RCPT-STATUS-KNOWN': ({ receipts, tasks }, { dialect }) =>
      whereTasksAre(tasks, dialect, () => every(receipts, hasKnownStatus)),
    'RCPT-ACCEPTED-TASK': ({ receipts, tasks }, { dialect }) =>
      whereTasksAre(tasks, dialect, () =>
        all(tasksApart(receipts, dialect), ...receipts.map((one) => leadsToTask(one, dialect))),
      ),
    'TASK-READ': ({ tasks }) => everyRead(tasks, readableTask),
    'TASK-STATE': ({ tasks }, { dialect }) => everyRead(tasks, (read) => hasState(read, dialect)),
    'TASK-STATE-KNOWN': ({ tasks }, { dialect }) => everyRead(tasks, (read) => hasKnownState(read, dialect)),
  },
  observe: {
    'GAP-TASK-FIELDS': ({ tasks }) => taskMembers(tasks),
    'GAP-TASK-TRANSITIONS': ({ tasks }, { dialect }) => statePaths(tasks, dialect),
  },
})

/** A server that returns one receipt for everything has no tasks, so its receipts prove nothing. */
function whereTasksAre(tasks: readonly Exchange[], dialect: Dialect, judge: () => Judgement): Judgement {
  return given(
    everyRead(tasks, (read) => hasState(read, dialect)),
    judge,
  )
}

export const durable = scenario({
  title: 'a task can be read after the connection that started it was closed',
  exchanges: ['receipts[]', 'before', 'leaving', 'after', 'tasks[]'],
  needs: { operation: { receipt: 'accepted' } },
  cost: { requests: 6 + mostPolls.short, turns: 0 },
  async run(t) {
    const { path } = await mustBegin(t, 'receipts', t.operation)
    await t.read('before', path)
    // The most recently used connection is used first: the one aborted here started the task.
    await t.read('leaving', path, { timeouts: { abortAfterBytes: 1 } })
    await t.settle(200)
    await t.read('after', path)
    await readToItsEnd(t, 'tasks', path, pollIntervals.short)
  },
  judge: {
    'TASK-DURABLE': ({ before, after, tasks }, { dialect }) =>
      given(hasState(before, dialect), () => all(readableTask(after), everyRead(tasks, readableTask))),
  },
})

export const abandoned = scenario({
  title: 'a task can be read by a client that disconnected before it read the receipt',
  exchanges: ['receipts[]', 'control', 'after', 'tasks[]'],
  needs: { operation: { receipt: 'accepted', write: true } },
  cost: { requests: 5 + 2 * mostPolls.short, turns: 0 },
  profile: 'exhaustive',
  async run(t) {
    const { operation } = t
    const { path } = await mustBegin(t, 'receipts', operation)
    await t.read('control', path)
    const request = { input: t.inputOf(operation), key: t.key() }
    await t.executeMore('receipts', operation, { ...request, timeouts: { abortAfterBytes: 1 } })
    await t.settle(200)
    const again = await pollUntil(
      t,
      pollIntervals.short,
      () => t.executeMore('receipts', operation, request),
      (receipt) => t.taskOf(receipt) !== null,
    )
    const id = t.taskOf(again) ?? t.stop('the receipt that was asked for again shows no id of a task')
    await t.read('after', taskPath(id))
    await readToItsEnd(t, 'tasks', taskPath(id), pollIntervals.short)
  },
  judge: {
    'TASK-DURABLE': ({ control, after, tasks }, { dialect }) =>
      given(hasState(control, dialect), () => all(readableTask(after), everyRead(tasks, readableTask))),
  },
})

export const unknown = scenario({
  title: 'an id that differs from that of a task in one character has no task',
  exchanges: ['receipts[]', 'task', 'strangers[]'],
  needs: { operation: { receipt: 'accepted' } },
  cost: { requests: 6, turns: 0 },
  async run(t) {
    const { taskId, path } = await mustBegin(t, 'receipts', t.operation)
    await t.read('task', path)
    for (const id of [unusedIdLike(t, taskId), unusedIdLike(t, taskId)])
      await t.readMore('strangers', taskPath(id))
  },
  judge: {
    'TASK-UNKNOWN': ({ task, strangers }, { dialect }) =>
      given(hasState(task, dialect), () => every(strangers, (stranger) => unknownTask(stranger, dialect))),
  },
  observe: {
    'GAP-OPERATION-UNKNOWN': ({ strangers }) => statuses(strangers),
  },
})
