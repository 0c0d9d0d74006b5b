/** The task of an accepted receipt: reads of it, after a disconnect too, and reads of one that does not exist. */
import { scenario, type Judgement, type PrincipalNeed } from '../../scenario/scenario.ts'
import { status } from '../../assertions/answer.ts'
import { all, every, given } from '../../scenario/expect.ts'
import {
  everyRead,
  hasState,
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
import { isReceiptLike, leadsToTask } from '../assertions/receipt.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { mostPolls, pollIntervals } from './polling.ts'
import { begin, longOperations, mustBegin, readToItsEnd, taskPath, type Begun } from './task-requests.ts'
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
    'RCPT-ACCEPTED-TASK': ({ receipts, tasks }, { dialect }) =>
      whereTasksAre(tasks, dialect, () =>
        all(tasksApart(receipts, dialect), ...receipts.map((one) => leadsToTask(one, dialect))),
      ),
    'TASK-READ': ({ tasks }) => everyRead(tasks, readableTask),
    'TASK-STATE': ({ tasks }, { dialect }) => everyRead(tasks, (read) => hasState(read, dialect)),
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

const endedFor = (other?: PrincipalNeed) =>
  scenario({
    title: `a finished task stays so at every read${other ? ', with another key too' : ''}`,
    exchanges: ['receipts[]', 'tasks[]'],
    needs: { operation: { receipt: 'accepted' }, ...(other ? { others: { other }, extra: true } : {}) },
    cost: { requests: 2 * (1 + mostPolls.long + mostPolls.short + 7), turns: 0 },
    async run(t) {
      const [first = t.operation, second = first] = longOperations(t)
      const begun: Begun[] = []
      for (const operation of [first, second]) {
        const task = await mustBegin(t, 'receipts', operation)
        begun.push(task)
        const { path, taskId, request } = task
        const read = await readToItsEnd(t, 'tasks', path, pollIntervals.long)
        if (!isFinal(stateShown(read, t.dialect))) {
          await t.enter('task.finished', { taskId, operationId: operation.id })
          await readToItsEnd(t, 'tasks', path, pollIntervals.short)
        }
        for (const as of ['self', other ? 'other' : 'self']) await t.readMore('tasks', path, { as })
        if (request.key !== undefined) await t.executeMore('receipts', operation, request)
        await t.readMore('tasks', path)
        await t.settle(500)
        for (const { path } of begun) await t.readMore('tasks', path)
      }
    },
    judge: { 'TASK-FINAL': ({ tasks }, { dialect }) => staysFinal(tasks, dialect) },
  })

export const keepsItsEnd = endedFor()
export const keepsItsEndForOther = endedFor({ kind: 'second-of-account' })

export const unknown = scenario({
  title:
    'an id that differs from that of a task in one character has no task, and no task is read without a key',
  exchanges: ['receipts[]', 'task', 'strangers[]', 'keyless'],
  needs: { operation: { receipt: 'accepted' } },
  cost: { requests: 7, turns: 0 },
  async run(t) {
    const { taskId, path } = await mustBegin(t, 'receipts', t.operation)
    await t.read('task', path)
    for (const id of [unusedIdLike(t, taskId), unusedIdLike(t, taskId)])
      await t.readMore('strangers', taskPath(id))
    await t.read('keyless', path, { as: null })
  },
  judge: {
    'SCOPE-NO-KEY': ({ task, keyless }, { dialect }) =>
      given(hasState(task, dialect), () => status(keyless, 401, 404)),
    'TASK-UNKNOWN': ({ task, strangers }, { dialect }) =>
      given(hasState(task, dialect), () => every(strangers, (stranger) => unknownTask(stranger, dialect))),
  },
  observe: {
    'GAP-OPERATION-UNKNOWN': ({ strangers }) => statuses(strangers),
  },
})
