/** The task of an accepted receipt: reads of it up to its end, and reads that show no task. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { status } from '../../assertions/answer.ts'
import { all, every, given, inconclusive, inTurn, notApplicable } from '../../scenario/expect.ts'
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
import type { OperationFixture } from '../../config/target.ts'
import { measureGrowth, mostGrowthReads } from '../execution/effect-growth.ts'
import { taskIdOf } from '../assertions/pointers/pointer-receipt.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { mostPolls, pollIntervals } from './polling.ts'
import { begin, readToItsEnd, taskPath, type Begun } from './task-requests.ts'
import { foreignReads, notForStrangers, readAsStranger, unusedIdLike } from '../access/foreign.ts'

/** The most operations whose tasks are read. */
const most = 7

export const states = scenario({
  title:
    'the task of every accepted operation can be read, in a known state each time, after a disconnect too, and a finished one stays so; a write that is sent again leads to the same one, and nobody else to any',
  exchanges: [
    ...(['receipts[]', 'again[]', 'tasks[]', 'resent[]', 'ends[]', 'leaving', 'after'] as const),
    ...(['effect[]', 'strangers[]', 'keyless', ...foreignReads] as const),
  ],
  needs: {
    operation: { receipt: 'accepted' },
    also: { other: { kind: 'second-of-account' }, stranger: { kind: 'other-account' } },
  },
  cost: {
    requests: most * (1 + mostPolls.short) + 14 + 4 * (mostPolls.long + 6) + mostGrowthReads,
    turns: 0,
  },
  async run(t) {
    const begun: Begun[] = []
    const long = t.operations.filter((one) => one !== t.operation && one.receipt === 'accepted')
    for (const operation of [t.operation, ...long].slice(0, most))
      // Writes are sent where they are allowed.
      await t.optional(operation.write ? ['again'] : [], async () => {
        const task = await begin(t, 'receipts', operation)
        if (!task) return
        begun.push(task)
        // At once: a state may pass soon.
        const read = await readToItsEnd(t, 'tasks', task.path, pollIntervals.short, isAtRest)
        if (begun.length <= 2) await t.optional(['ends'], () => readEnd(t, task, read))
      })
    const first = begun[0] ?? t.stop('no receipt shows the id of a task; declare `dialect.receipt.taskId`')
    // The most recently used connection is used first: the one aborted here started the task.
    await t.read('leaving', first.path, { timeouts: { abortAfterBytes: 1 } })
    await t.settle(200)
    await t.read('after', first.path)
    await t.readMore('strangers', taskPath(unusedIdLike(t, first.taskId)))
    await t.read('keyless', first.path, { as: null })
    // What is not over yet is no end that a stranger's read could pass for.
    await readAsStranger(t, (begun.at(-1) ?? first).path)
    const write = begun.find(({ request }) => request.key !== undefined)
    if (!write) return
    const { operation } = write
    if ((await begunBy(t, operation, timesSame)).size < 2 || !operation.effect) return
    await measureGrowth(t, () => t.effectOf('effect', operation), {
      [growth]: async () => {
        for (const id of await begunBy(t, operation, 2))
          await readToItsEnd(t, 'ends', taskPath(id), pollIntervals.long)
      },
    })
  },
  judge: {
    'EXEC-RECEIPT': ({ receipts, tasks }, { dialect }) =>
      whereTasksAre(tasks, dialect, () => every(receipts, (one) => isReceiptLike(one, dialect))),
    'EXEC-RETRY-ONE-RUN': ({ receipts, again }, context) => {
      const other = receipts.find(({ request }) => request.path === again[0]?.request.path)
      const [same, byEffect] = [again.slice(0, timesSame), onceByEffect(again, context)]
      return other
        ? onceByIds({ same, other }, 'accepted', taskIdOf, context.dialect, byEffect)
        : notApplicable('no write is declared that goes on as a task')
    },
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

/** The tasks of one write that is sent so often with one key. */
async function begunBy(
  t: Driver<'again[]'>,
  operation: OperationFixture,
  times: number,
): Promise<ReadonlySet<string>> {
  const [request, ids] = [{ key: t.key(), input: t.inputOf(operation) }, new Set<string>()]
  for (let sent = 0; sent < times; sent++) {
    const id = t.taskOf(await t.executeMore('again', operation, request))
    if (id !== null) ids.add(id)
  }
  return ids
}

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
