/** Work that goes on as a task: read until it is completed, failed or cancelled, and no longer. */
import { finalTaskStates } from '../../spec/index.ts'
import type { Judgement } from '../engine/judgement.ts'
import type { Context } from '../engine/scenario.ts'
import { all, broken, check, given, inconclusive, pass } from '../judge/expect.ts'
import { isMembers } from '../judge/pointer.ts'
import { member } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Json } from '../wire/json.ts'
import { namedBy, served, whereServed } from './carried.ts'
import { performanceIn, sentTo, toldIn } from './performed.ts'
import { accepted, on, script, taskId, taskThrough } from './scripted.ts'
import { clientScenario, type Act, type ClientScenario } from './story.ts'

const importing = {
  do: 'execute',
  operation: 'customers.import',
  input: { customers: [{ name: 'Ada', email: 'ada@example.com' }] },
  idempotencyKey: 'import-of-one-customer',
} as const

/** Clients may take their time between two reads. */
const limitMs = 30_000

function through(...states: readonly string[]): Act {
  const disturbances = [...script(on.execution, [accepted]), ...taskThrough(...states)]
  return { task: importing, stage: { disturbances }, limitMs }
}

const isFinal = (state: Json | undefined): boolean => finalTaskStates.some((final) => final === state)
const stateOf = (read: Exchange): Json | undefined => member(read, '/state')
const shownBy = (read: Exchange | undefined): string =>
  JSON.stringify(read && stateOf(read)) ?? 'without a state'

/** Reads of a task that were answered, oldest first. */
function readsOf(exchanges: readonly Exchange[], id: string): readonly Exchange[] {
  return served(sentTo(exchanges, 'task')).filter((read) => namedBy(read) === id)
}

/** Reads on their way when the end was shown, and one more to be sure. */
const spare = 2

export function readToItsEnd(
  exchanges: readonly Exchange[],
  context: Context,
  act: string,
  id = taskId,
): Judgement {
  const reads = readsOf(exchanges, id)
  const end = reads.findIndex((read) => isFinal(stateOf(read)))
  if (end === -1) return leftEarly(reads, exchanges, context, act)
  const more = reads.length - end - 1
  const got = `${more} reads more`
  return check(more <= spare, `no further read once it was ${shownBy(reads[end])}`, got, reads.at(-1))
}

/** Whoever leaves and says so leaves the rest to somebody else. */
function leftEarly(
  reads: readonly Exchange[],
  exchanges: readonly Exchange[],
  context: Context,
  act: string,
): Judgement {
  if (performanceIn(context, act)?.ended === 'timeout') return inconclusive('time was up before the task was')
  if (toldIn(context, act, 'unfinished').length > 0)
    return inconclusive('it left the task before its end, and said so')
  const last = reads.at(-1)
  const got = last ? `none after it was ${shownBy(last)}` : 'none'
  return broken('reads of the task until its state is final', got, last ?? exchanges.at(-1))
}

/** What is told is told at any time: only a state that was never shown is one that nobody can have seen. */
export function notDoneEarly(
  exchanges: readonly Exchange[],
  context: Context,
  act: string,
  id = taskId,
): Judgement {
  const reads = readsOf(exchanges, id)
  const end = reads.findIndex((read) => isFinal(stateOf(read)))
  const claims = toldIn(context, act, 'finished')
  const shown = [...new Set(reads.map(shownBy))].join(', ') || 'nothing of it'
  if (claims.length > 0 && end === -1)
    return broken(
      'work that is not finished',
      `finished, where the task had shown ${shown}`,
      exchanges.at(-1),
    )
  const odd = claims.find(({ task }) => isMembers(task) && 'state' in task && !isFinal(task['state']))
  if (odd) return broken('a final state', `finished as ${JSON.stringify(odd.task)}`, exchanges.at(-1))
  if (end > 0 || toldIn(context, act, 'unfinished').length > 0) return pass
  return inconclusive('it left before the end, and does not tell what it makes of that')
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
      const [read] = sentTo(task, 'task')
      return given(read ? pass : inconclusive('no task was read'), () =>
        all(...sentTo(task, 'task').map((one) => check(namedBy(one) === taskId, taskId, namedBy(one), one))),
      )
    },
  },
})
