/** Judgements on how a client follows a receipt to its task or approval. */
import { finalTaskStates } from '../../../spec/index.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { fail, check, inconclusive, pass } from '../../scenario/expect.ts'
import { isObject } from '../../../spec/json.ts'
import { type Exchange, type Json, member } from '../../wire/exchange.ts'
import { lastSegment, plain, successful } from './request.ts'
import { stepResult, sentTo, reportedIn } from './step-result.ts'
import { approvalId, taskId } from '../execution/step.ts'
import { failuresIn, memberOf } from './reported-reply.ts'

const isFinal = (state: Json | undefined): boolean => finalTaskStates.some((final) => final === state)
const stateOf = (read: Exchange): Json | undefined => member(read, '/state')
const shownBy = (read: Exchange | undefined): string =>
  JSON.stringify(read && stateOf(read)) ?? 'without a state'

/** In lower case without separators; null for what is not a text. */
const word = (state: Json | undefined): string | null => (typeof state === 'string' ? plain(state) : null)

/** Successful reads of a task, oldest first. */
function readsOf(exchanges: readonly Exchange[]): readonly Exchange[] {
  return successful(sentTo(exchanges, 'task')).filter((read) => lastSegment(read) === taskId)
}

/** Reads allowed after the final state: those in flight, and one more. */
const spare = 2

/** A client that stops polling and reports that is not judged. */
export function polledToFinalState(
  exchanges: readonly Exchange[],
  context: Context,
  step: string,
): Judgement {
  const reads = readsOf(exchanges)
  const end = reads.findIndex((read) => isFinal(stateOf(read)))
  if (end === -1) {
    if (stepResult(context, step)?.ended === 'timeout')
      return inconclusive('the step reached its time limit before the task was final')
    if (failuresIn(context, step).length > 0) return inconclusive('it stopped polling and reported that')
    const last = reads.at(-1)
    const got = last ? `none after it was ${shownBy(last)}` : 'none'
    return fail('reads of the task until its state is final', got, last ?? exchanges.at(-1))
  }
  const more = reads.length - end - 1
  const got = `${more} reads more`
  return check(more <= spare, `no further read once it was ${shownBy(reads[end])}`, got, reads.at(-1))
}

/** Reports have no time, so only a state that no read showed proves an early claim. */
export function notFinishedEarly(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  const reads = readsOf(exchanges)
  const end = reads.findIndex((read) => isFinal(stateOf(read)))
  const claims = reportedIn(context, step, 'finished')
  const shown = [...new Set(reads.map(shownBy))].join(', ') || 'nothing of it'
  if (claims.length > 0 && end === -1)
    return fail('work that is not finished', `finished, where the task had shown ${shown}`, exchanges.at(-1))
  const running = new Set(reads.filter((read) => !isFinal(stateOf(read))).map((read) => word(stateOf(read))))
  const odd = claims.find(({ task }) => isObject(task) && running.has(word(memberOf(task, 'state'))))
  if (odd) return fail('a final state', `finished as ${JSON.stringify(odd.task)}`, exchanges.at(-1))
  if (end > 0 || failuresIn(context, step).length > 0) return pass
  return inconclusive('it stopped polling and did not report how the work ended')
}

/** `finished` without a read of the approval fails; no read and no report is inconclusive. */
export function readBeforeFinished(
  exchanges: readonly Exchange[],
  context: Context,
  step: string,
): Judgement {
  const reads = successful(sentTo(exchanges, 'approval'))
  if (reads.some((read) => lastSegment(read) === approvalId)) return pass
  if (reportedIn(context, step, 'finished').length > 0)
    return fail('a read of the approval first', 'work reported as finished without one', exchanges.at(-1))
  return inconclusive('the approval was not read, and the work was not reported as finished')
}
