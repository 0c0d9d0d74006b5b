/** How streams end, well or not: a reply is finished when its `done` came, and once. */
import type { ClauseId } from '../../../spec/index.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, check, given, inconclusive, observed, pass } from '../../scenario/expect.ts'
import { retriesSameTurn } from '../assertions/retry.ts'
import { reportedIn, sentTo } from '../assertions/step-result.ts'
import type { StreamEncoding } from '../../../spec/types/control.ts'
import { answers, anyReply, refusalsWith, replays } from '../execution/step.ts'
import { clientScenario, type ClientStep, type ClientScenario } from '../client-scenario.ts'
import {
  ifUsualRead,
  type Judging,
  reportsUnlessLeft,
  oddStream,
  replyTokens,
  silenceMs,
  encoded,
  streaming,
  type StreamSteps,
} from './stream-scenario.ts'
import {
  failuresIn,
  completionsIn,
  hasCompleteReply,
  howToReport,
  memberOf,
  reportsNoReply,
  reportsReply,
  whereItReports,
} from '../assertions/reported-reply.ts'
import { ifStreamed, reportsStream, streamIn } from '../assertions/reported-stream.ts'

function whereUsualReported({ usual }: StreamSteps, context: Context, judge: () => Judgement): Judgement {
  return ifStreamed(usual, () => whereItReports(context, 'usual', judge))
}

/** No reply is reported for a stream without `done`, if one was reported for the usual stream. */
function noReply(steps: StreamSteps, context: Context): Judgement {
  return whereUsualReported(steps, context, () => {
    const judged = reportsNoReply(steps.odd, context, 'odd')
    // The text of a reply to the turn that was sent again: that of the usual stream shows whether texts are read rightly.
    return judged.is === 'fail' && sentTo(steps.odd, 'chat').some(hasCompleteReply)
      ? given(reportsStream(steps.usual, context, 'usual'), () => judged)
      : judged
  })
}

function unfinished(title: string, odd: ClientStep, clause: ClauseId = 'LIB-STREAM-CUT'): ClientScenario {
  return clientScenario({
    title,
    steps: { usual: streaming(), odd },
    judge: {
      [clause]: noReply,
      'LIB-SENT-AGAIN': (steps: StreamSteps) => ifStreamed(steps.usual, () => retriesSameTurn(steps.odd)),
    },
  })
}

const endsBy = (by: NonNullable<StreamEncoding['end']>['by'], behind = 3): ClientStep =>
  encoded({ end: { behind, by } })

export const withoutDone = unfinished('a stream that ends without `done` is no reply', endsBy('close'))
export const closed = unfinished('a stream that is closed is no reply', endsBy('cut'))
export const reset = unfinished('a stream that is reset is no reply', endsBy('reset'))
export const empty = unfinished('a stream without events is no reply', endsBy('close', 0))
export const withinDone = unfinished(
  'a stream that breaks off within its `done` is no reply',
  streaming({
    replies: replyTokens(['Hello']),
    // The first event has 40 bytes; these end in the middle of the second.
    networkFaults: [{ do: { is: 'cut', when: 'in', bytes: 70 } }],
  }),
)
export const error = unfinished(
  'a stream that ends with an error is no reply',
  streaming({
    replies: replyTokens(['It ', 'is ', 'not ', 'so.'], {
      error: { afterTokens: 2, text: 'The agent stopped.' },
    }),
  }),
  'LIB-STREAM-ERROR',
)

/** One reply, and nothing of what came behind it. */
function once(steps: StreamSteps, context: Context): Judgement {
  return whereUsualReported(steps, context, () => {
    const [usually, most] = [reportedReplies(context, 'usual'), reportedReplies(context, 'odd')]
    if (most === 0) return inconclusive(howToReport)
    const expected = usually > 1 ? `${usually} reported replies, as usual` : 'one finished reply'
    return all(
      check(most <= Math.max(1, usually), expected, `${most}`, streamIn(steps.odd)),
      ifUsualRead(steps, context, () => reportsStream(steps.odd, context, 'odd')),
    )
  })
}

/** Number of reported replies, or of reported `done` events if greater. */
function reportedReplies(context: Context, step: string): number {
  const dones = reportedIn(context, step, 'event').filter(({ event }) => memberOf(event, 'type') === 'done')
  return Math.max(reportedIn(context, step, 'reply').length, dones.length)
}

/** Events of the reply that these tokens make, `done` among them. */
const whole = 3
const two = { replies: replyTokens(['Hello ', 'there.']) }

export const doneTwice = oddStream(
  'a second `done` is no second reply',
  ['LIB-STREAM-ONCE'],
  encoded({ insert: [{ behind: whole, again: true }] }, two),
  once,
)
export const behindDone = oddStream(
  'a token behind `done` is no part of the reply',
  ['LIB-STREAM-ONCE'],
  encoded({ insert: [{ behind: whole, event: { type: 'token', token: 'too late' } }] }, two),
  once,
)

/** A whole reply of a client that reads the usual stream, or what a reported failure is judged to be. */
const replyOr =
  (failure: Judgement): Judging =>
  (steps, context) =>
    whereUsualReported(steps, context, () => {
      if (completionsIn(context, 'odd').length > 0)
        return ifUsualRead(steps, context, () => reportsReply(steps.odd, context, 'odd'))
      return failuresIn(context, 'odd').length > 0 ? failure : inconclusive(howToReport)
    })

/** By the lines of the contract `done` is there; by the standard, an event without an empty line is none. */
export const noFinalBlank = oddStream(
  'a `done` without its empty line is a whole reply, or none',
  ['LIB-STREAM-CUT'],
  encoded({ noFinalBlank: true }),
  replyOr(observed('not finished without the empty line')),
)

export const silence = oddStream(
  'a stream that is silent for a second and a half goes on',
  ['LIB-STREAM'],
  encoded({ silence: { behind: 2, ms: silenceMs } }),
  reportsUnlessLeft,
)

const replay = replays('text/event-stream', `data: ${JSON.stringify({ type: 'done', ...anyReply })}\n\n`)
export const replayed = oddStream(
  'a replayed stream has one event, and that is the whole reply',
  ['LIB-STREAM'],
  streaming({ networkFaults: [replay] }),
)

/** Whether JSON will do where a stream was asked for is for the client to say. */
export const jsonInstead = oddStream(
  'a reply as JSON where a stream was asked for is that reply, or none',
  ['LIB-NO-FALSE-REPLY'],
  streaming({
    networkFaults: [answers(200, 'application/json', JSON.stringify(anyReply)), { ...replay, after: 1 }],
  }),
  replyOr(pass),
)

export const refused = unfinished(
  'a turn that is refused before its stream began is no reply',
  streaming({ networkFaults: refusalsWith('AI_REPLY_PAUSED') }),
  'LIB-NO-FALSE-REPLY',
)
