/** Judgements on how a client follows up what a receipt leads to: a task, or an approval. */
import { finalTaskStates } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import { broken, check, inconclusive, pass } from '../../scenario/expect.ts'
import { isObject } from '../../../spec/json.ts'
import { member } from '../../wire/body.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'
import { lastSegment, successful } from './request.ts'
import { stepResult, sentTo, reportedIn } from './step-result.ts'
import { approvalId, taskId } from '../execution/scripted-replies.ts'
import { failuresIn, memberOf } from './reported-reply.ts'

const isFinal = (state: Json | undefined): boolean => finalTaskStates.some((final) => final === state)
const stateOf = (read: Exchange): Json | undefined => member(read, '/state')
const shownBy = (read: Exchange | undefined): string =>
  JSON.stringify(read && stateOf(read)) ?? 'without a state'

/** Languages spell the names of states in cases of their own; null for what is no text. */
const word = (state: Json | undefined): string | null =>
  typeof state === 'string' ? state.replaceAll(/[_-]/g, '').toLowerCase() : null

/** Reads of a task that were answered, oldest first. */
function readsOf(exchanges: readonly Exchange[], id: string): readonly Exchange[] {
  return successful(sentTo(exchanges, 'task')).filter((read) => lastSegment(read) === id)
}

/** Reads on their way when the end was shown, and one more to be sure. */
const spare = 2

export function polledToFinalState(
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
  if (stepResult(context, act)?.ended === 'timeout') return inconclusive('time was up before the task was')
  if (failuresIn(context, act).length > 0) return inconclusive('it left the task before its end, and said so')
  const last = reads.at(-1)
  const got = last ? `none after it was ${shownBy(last)}` : 'none'
  return broken('reads of the task until its state is final', got, last ?? exchanges.at(-1))
}

/** What is told is told at any time: only a state that was never shown is one that nobody can have seen. */
export function notFinishedEarly(
  exchanges: readonly Exchange[],
  context: Context,
  act: string,
  id = taskId,
): Judgement {
  const reads = readsOf(exchanges, id)
  const end = reads.findIndex((read) => isFinal(stateOf(read)))
  const claims = reportedIn(context, act, 'finished')
  const shown = [...new Set(reads.map(shownBy))].join(', ') || 'nothing of it'
  if (claims.length > 0 && end === -1)
    return broken(
      'work that is not finished',
      `finished, where the task had shown ${shown}`,
      exchanges.at(-1),
    )
  const running = new Set(reads.filter((read) => !isFinal(stateOf(read))).map((read) => word(stateOf(read))))
  const odd = claims.find(({ task }) => isObject(task) && running.has(word(memberOf(task, 'state'))))
  if (odd) return broken('a final state', `finished as ${JSON.stringify(odd.task)}`, exchanges.at(-1))
  if (end > 0 || failuresIn(context, act).length > 0) return pass
  return inconclusive('it left before the end, and does not tell what it makes of that')
}

/** `finished` without a read is the fault; silence without a read shows nothing. */
export function readBeforeFinished(
  exchanges: readonly Exchange[],
  context: Context,
  act: string,
  id = approvalId,
): Judgement {
  const reads = successful(sentTo(exchanges, 'approval')).filter((read) => lastSegment(read) === id)
  if (reads.length > 0) return pass
  if (reportedIn(context, act, 'finished').length > 0)
    return broken('a read of the approval before', 'work told as finished without one', exchanges.at(-1))
  return inconclusive('the approval was not read, and the work is not told as finished')
}
