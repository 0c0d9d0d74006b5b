/** Requests of one key and their outcomes, written by hand for tests of the history rules. */
import type { KeyedRequest, KeyHistory, RequestOutcome } from './history-rules.ts'

const endless: readonly RequestOutcome[] = ['begun', 'lost']

/** A request for the message `m` as JSON with this outcome and these times. */
export function keyedRequest(
  outcome: RequestOutcome,
  from: number,
  to: number,
  change: Partial<KeyedRequest> = {},
): KeyedRequest {
  const message = change.message ?? 'm'
  return {
    id: 0,
    from,
    to: endless.includes(outcome) ? Infinity : to,
    outcome,
    message,
    content: message,
    carrier: 'body',
    stream: false,
    response: 'hello',
    conversation: 'c',
    ...change,
  }
}

/** Numbers the requests from 1. */
export const numbered = (history: KeyHistory): KeyHistory =>
  history.map((one, at) => ({ ...one, id: at + 1 }))
