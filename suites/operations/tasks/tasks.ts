/** The task of an accepted receipt: reads of it up to its end, and reads that show no task. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { status } from '../../assertions/answer.ts'
import { all, every, given, inconclusive } from '../../scenario/expect.ts'
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
import { answersJson } from '../assertions/catalogue.ts'
import { comesWith, isReceiptLike, leadsToTask } from '../assertions/receipt.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { mostPolls, pollIntervals } from './polling.ts'
import { begin, longOperations, mustBegin, readToItsEnd, taskPath, type Begun } from './task-requests.ts'
import { foreignReads, notForStrangers, readAsStranger, unusedIdLike } from '../access/foreign.ts'

/** The most operations whose tasks are read. */
const most = 7

export const states = scenario({
  title:
    'the task of every accepted operation can be read, in a known state each time, after a disconnect too, and a finished one stays so',
  exchanges: ['receipts[]', 'before', 'leaving', 'after', 'tasks[]', 'resent[]', 'ends[]'],
  needs: { operation: { receipt: 'accepted' }, also: { other: { kind: 'second-of-account' } } },
  cost: { requests: most * (1 + mostPolls.short) + 5 + 2 * (mostPolls.long + 6), turns: 0 },
  async run(t) {
    const begun: Begun[] = []
    for (const operation of longOperations(t).slice(0, most)) {
      const task = await begin(t, 'receipts', operation)
      if (!task) continue
      begun.push(task)
      // At once: a state may pass soon.
      await readToItsEnd(t, 'tasks', task.path, pollIntervals.short)
      if (begun.length <= 2) await t.optional(['ends'], () => readEnd(t, task, begun))
    }
    const first = begun[0] ?? t.stop('no receipt shows the id of a task; declare `dialect.receipt.taskId`')
    await t.read('before', first.path)
    // The most recently used connection is used first: the one aborted here started the task.
    await t.read('leaving', first.path, { timeouts: { abortAfterBytes: 1 } })
    await t.settle(200)
    await t.read('after', first.path)
  },
  judge: {
    'EXEC-RECEIPT': ({ receipts, tasks }, { dialect }) =>
      whereTasksAre(tasks, dialect, () => every(receipts, (one) => isReceiptLike(one, dialect))),
    'RCPT-ACCEPTED-TASK': ({ receipts, before, tasks }, { dialect }) => {
      const readable = answersJson(before)
      if (readable.is !== 'pass') return readable
      return whereTasksAre(tasks, dialect, () =>
        all(tasksApart(receipts, dialect), ...receipts.map((one) => leadsToTask(one, dialect))),
      )
    },
    'TASK-READ': ({ tasks }) => everyRead(tasks, readableTask),
    'TASK-STATE': ({ tasks }, { dialect }) => everyRead(tasks, (read) => hasState(read, dialect)),
    'TASK-DURABLE': ({ before, after, tasks }, { dialect }) =>
      given(hasState(before, dialect), () => all(readableTask(after), everyRead(tasks, readableTask))),
    'TASK-FINAL': ({ tasks, ends }, { dialect }) => staysFinal([...tasks, ...ends], dialect),
  },
  observe: {
    'GAP-RECEIPT-STATUS': ({ receipts: [receipt] }) =>
      receipt ? comesWith(receipt, 'accepted') : inconclusive('nothing was accepted'),
    'GAP-TASK-FIELDS': ({ tasks }) => taskMembers(tasks),
    'GAP-TASK-TRANSITIONS': ({ tasks }, { dialect }) => statePaths(tasks, dialect),
  },
})

/** Of a finished task, as soon as it is: with each key, after its request was repeated, and after a while. */
async function readEnd(
  t: Driver<'resent[]' | 'ends[]'>,
  { operation, path, taskId, request }: Begun,
  begun: readonly Begun[],
): Promise<void> {
  const read = await readToItsEnd(t, 'ends', path, pollIntervals.long)
  if (!isFinal(stateShown(read, t.dialect))) {
    await t.enter('task.finished', { taskId, operationId: operation.id })
    await readToItsEnd(t, 'ends', path, pollIntervals.short)
  }
  if (t.has('other')) await t.readMore('ends', path, { as: 'other' })
  if (request.key !== undefined) await t.executeMore('resent', operation, request)
  await t.settle(500)
  for (const one of begun) await t.readMore('ends', one.path)
}

/** A server that returns one receipt for everything has no tasks, so its receipts prove nothing. */
function whereTasksAre(tasks: readonly Exchange[], dialect: Dialect, judge: () => Judgement): Judgement {
  return given(
    everyRead(tasks, (read) => hasState(read, dialect)),
    judge,
  )
}

export const unknown = scenario({
  title:
    'an id that differs from that of a task in one character has no task, and no task is read without a key, or with one of another account',
  exchanges: ['receipts[]', 'task', 'strangers[]', 'keyless', ...foreignReads],
  needs: { operation: { receipt: 'accepted' }, also: { stranger: { kind: 'other-account' } } },
  cost: { requests: 10, turns: 0 },
  async run(t) {
    const { taskId, path } = await mustBegin(t, 'receipts', t.operation)
    await t.read('task', path)
    for (const id of [unusedIdLike(t, taskId), unusedIdLike(t, taskId)])
      await t.readMore('strangers', taskPath(id))
    await t.read('keyless', path, { as: null })
    await readAsStranger(t, path)
  },
  judge: {
    'SCOPE-NO-KEY': ({ task, keyless }, { dialect }) =>
      given(hasState(task, dialect), () => status(keyless, 401, 404)),
    'SCOPE-FOREIGN': (scenario) => notForStrangers(scenario, 'a task of another account'),
    'TASK-UNKNOWN': ({ task, strangers }, { dialect }) =>
      given(hasState(task, dialect), () => every(strangers, (stranger) => unknownTask(stranger, dialect))),
  },
  observe: {
    'GAP-OPERATION-UNKNOWN': ({ strangers }) => statuses(strangers),
  },
})
