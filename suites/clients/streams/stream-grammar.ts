/** What Server-Sent Events allow beside data lines, and how lines may end. */
import {
  reportsBoth,
  reportsUnlessLeft,
  oddStream,
  silenceMs,
  encoded,
  replyTokens,
  streaming,
  type StreamSteps,
} from './stream-scenario.ts'
import { softened } from '../../scenario/expect.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'

export const comments = oddStream(
  'comments are passed over, wherever they stand',
  ['LIB-STREAM-GRAMMAR'],
  encoded({ first: ': welcome\n\n', before: ':\n: data: {"type":"done"}\n', last: ': goodbye\n\n' }),
)

export const returnAndFeed = oddStream(
  'lines may end with a return and a line feed',
  ['LIB-STREAM-GRAMMAR'],
  encoded({ lineEnd: '\r\n' }),
)

export const cutReturnAndFeed = oddStream(
  'a return and a line feed that are cut by the network are one line end',
  ['LIB-STREAM-GRAMMAR', 'LIB-STREAM-SPLIT-LINE'],
  encoded({ lineEnd: '\r\n', writes: 'within-line-ends', gapMs: 5 }),
)

export const separators = oddStream(
  'separators of Unicode end no line',
  ['LIB-STREAM-GRAMMAR'],
  streaming({ replies: replyTokens(['one\u2028', 'two\u2029', 'three\u0085', '.']) }),
)

export const fields = oddStream(
  'fields other than data are passed over',
  ['LIB-STREAM-GRAMMAR'],
  encoded({ first: 'retry: 5000\n\n', before: 'event: message\nid: 7\n' }),
)

export const commentsInSilence = oddStream(
  'comments keep a stream alive that has nothing to say for a while',
  ['LIB-STREAM-GRAMMAR'],
  encoded({ silence: { behind: 2, ms: silenceMs, comments: true } }),
  reportsUnlessLeft,
)

/** The contract shows a blank behind the colon, no mark before the text and no line end: the rest of the standard is advice. */
const advised = (steps: StreamSteps, context: Context): Judgement => softened(reportsBoth(steps, context))

export const returnAlone = oddStream(
  'lines may end with a return alone',
  ['LIB-STREAM-GRAMMAR'],
  encoded({ lineEnd: '\r' }),
  advised,
)

export const tight = oddStream(
  'no blank has to stand behind the colon of a data line',
  ['LIB-STREAM-GRAMMAR'],
  encoded({ tight: true }),
  advised,
)

export const byteOrderMark = oddStream(
  'a byte order mark before the first event is passed over',
  ['LIB-STREAM-GRAMMAR'],
  encoded({ first: '\uFEFF' }),
  advised,
)
