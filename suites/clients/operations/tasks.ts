/** Work that goes on as a task: read until it is completed, failed or cancelled, and no longer. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import { check, every, inconclusive } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { asking, keyOf, namedBy, whereServed } from '../assertions/request.ts'
import { notDoneEarly, readToItsEnd } from '../assertions/follow-up.ts'
import { sentTo } from '../assertions/step-result.ts'
import { accepted, on, script, taskId, taskThrough } from '../execution/scripted-replies.ts'
import { clientScenario, type Act, type ClientScenario } from '../client-scenario.ts'

const importing = {
  do: 'execute',
  operation: 'customers.import',
  input: { customers: [{ name: 'Ada', email: 'ada@example.com' }] },
  idempotencyKey: 'import-of-one-customer',
} as const

/** Clients may take their time between two reads. */
const limitMs = 30_000

function through(...states: readonly string[]): Act {
  const networkFaults = [...script(on.execution, [accepted]), ...taskThrough(...states)]
  return { task: importing, stage: { networkFaults }, limitMs }
}

function seenThrough(title: string, act: Act): ClientScenario {
  const judging =
    (judge: typeof readToItsEnd) =>
    ({ task }: { task: readonly Exchange[] }, context: Context): Judgement =>
      whereServed(sentTo(task, 'execution'), () => judge(task, context, 'task'))
  return clientScenario({
    title,
    acts: { task: act },
    judge: { 'LIB-TASK-WAIT': judging(readToItsEnd), 'LIB-TASK-NOT-DONE': judging(notDoneEarly) },
  })
}

export const completes = seenThrough(
  'a task is read through queued and running until it is completed',
  through('queued', 'running', 'running', 'completed'),
)
export const fails = seenThrough('a task is read until it is failed', through('queued', 'running', 'failed'))
export const cancelled = seenThrough('a task is read until it is cancelled', through('running', 'cancelled'))
export const needsInput = seenThrough(
  'a task in need of input is read on: it is not finished',
  through('running', 'input_required', 'input_required', 'running', 'completed'),
)
export const unknownState = seenThrough(
  'a task in a state that is not known is read on: three states are final, and no other',
  through('queued', 'archiving', 'archiving', 'completed'),
)

export const atOnce = clientScenario({
  title: 'a task that is at its end when it is first read is not read on',
  acts: { task: through('completed') },
  judge: {
    'LIB-TASK-WAIT': ({ task }, context) =>
      whereServed(sentTo(task, 'execution'), () => readToItsEnd(task, context, 'task')),
  },
})

export const ofItsReceipt = clientScenario({
  title: 'the task that is read is the one the receipt names, with the key that began it',
  acts: { task: through('queued', 'completed') },
  judge: {
    'LIB-TASK-WAIT': ({ task }) => {
      const reads = sentTo(task, 'task')
      if (reads.length === 0) return inconclusive('no task was read')
      return every(reads, (read) => check(namedBy(read) === taskId, taskId, namedBy(read), read))
    },
    'LIB-AUTHORIZATION': ({ task }) => {
      const [run] = sentTo(task, 'execution')
      if (!run) return inconclusive('nothing was executed')
      return every(asking(task), (one) => {
        const isSame = keyOf(one) !== '' && keyOf(one) === keyOf(run)
        return check(
          isSame,
          'the key that began it, as a bearer',
          keyOf(one) === '' ? 'none' : 'another',
          one,
        )
      })
    },
  },
})
