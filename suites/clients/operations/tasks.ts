/** Work that goes on as a task: read until it is completed, failed or cancelled, and no longer. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { check, every, inconclusive } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { serviceRequests, apiKeyOf, lastSegment, whereSuccessful } from '../assertions/request.ts'
import { notFinishedEarly, polledToFinalState } from '../assertions/follow-up.ts'
import { sentTo } from '../assertions/step-result.ts'
import { acceptedAndThrough, taskId } from '../execution/step.ts'
import { clientScenario, type ClientStep, type ClientScenario } from '../client-scenario.ts'

const importing = {
  do: 'execute',
  operation: 'customers.import',
  input: { customers: [{ name: 'Ada', email: 'ada@example.com' }] },
  idempotencyKey: 'import-of-one-customer',
} as const

const through = (...states: readonly string[]): ClientStep => ({
  task: importing,
  service: { networkFaults: acceptedAndThrough(...states) },
})

function seenThrough(title: string, step: ClientStep): ClientScenario {
  const judging =
    (judge: typeof polledToFinalState) =>
    ({ task }: { task: readonly Exchange[] }, context: Context): Judgement =>
      whereSuccessful(sentTo(task, 'execution'), () => judge(task, context, 'task'))
  return clientScenario({
    title,
    steps: { task: step },
    judge: { 'LIB-TASK-WAIT': judging(polledToFinalState), 'LIB-TASK-NOT-DONE': judging(notFinishedEarly) },
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
  steps: { task: through('completed') },
  judge: {
    'LIB-TASK-WAIT': ({ task }, context) =>
      whereSuccessful(sentTo(task, 'execution'), () => polledToFinalState(task, context, 'task')),
  },
})

export const ofItsReceipt = clientScenario({
  title: 'the task that is read is the one the receipt names, with the key that began it',
  steps: { task: through('queued', 'completed') },
  judge: {
    'LIB-TASK-WAIT': ({ task }) => {
      const reads = sentTo(task, 'task')
      if (reads.length === 0) return inconclusive('no task was read')
      return every(reads, (read) => check(lastSegment(read) === taskId, taskId, lastSegment(read), read))
    },
    'LIB-AUTHORIZATION': ({ task }) => {
      const [run] = sentTo(task, 'execution')
      if (!run) return inconclusive('nothing was executed')
      return every(serviceRequests(task), (one) => {
        const isSame = apiKeyOf(one) !== '' && apiKeyOf(one) === apiKeyOf(run)
        return check(
          isSame,
          'the key that began it, as a bearer',
          apiKeyOf(one) === '' ? 'none' : 'another',
          one,
        )
      })
    },
  },
})
