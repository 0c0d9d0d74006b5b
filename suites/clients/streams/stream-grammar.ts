/** What Server-Sent Events allow beside data lines, and how lines may end. */
import {
  reportsBoth,
  reportsUnlessLeft,
  oddStream,
  silenceMs,
  encoded,
  replyTokens,
  streaming,
  type Judging,
} from './stream-scenario.ts'
import { softened } from '../../scenario/expect.ts'
import type { ClientScenario, ClientStep } from '../client-scenario.ts'

const grammar = (title: string, odd: ClientStep, judge?: Judging): ClientScenario =>
  oddStream(title, ['LIB-STREAM-GRAMMAR'], odd, judge)

export const comments = grammar(
  'comments are passed over, wherever they stand',
  encoded({ first: ': welcome\n\n', before: ':\n: data: {"type":"done"}\n', last: ': goodbye\n\n' }),
)

export const returnAndFeed = grammar(
  'lines may end with a return and a line feed',
  encoded({ lineEnd: '\r\n' }),
)

export const cutReturnAndFeed = oddStream(
  'a return and a line feed that are cut by the network are one line end',
  ['LIB-STREAM-GRAMMAR', 'LIB-STREAM-SPLIT-LINE'],
  encoded({ lineEnd: '\r\n', writes: 'within-line-ends', gapMs: 5 }),
)

export const separators = grammar(
  'separators of Unicode end no line',
  streaming({ replies: replyTokens(['one\u2028', 'two\u2029', 'three\u0085', '.']) }),
)

export const fields = grammar(
  'fields other than data are passed over',
  encoded({ first: 'retry: 5000\n\n', before: 'event: message\nid: 7\n' }),
)

export const commentsInSilence = grammar(
  'comments keep a stream alive that has nothing to say for a while',
  encoded({ silence: { behind: 2, ms: silenceMs, comments: true } }),
  reportsUnlessLeft,
)

/** The contract shows a blank behind the colon, no mark before the text and no line end: the rest of the standard is advice. */
const advised = (title: string, odd: ClientStep): ClientScenario =>
  grammar(title, odd, (steps, context) => softened(reportsBoth(steps, context)))

export const returnAlone = advised('lines may end with a return alone', encoded({ lineEnd: '\r' }))

export const tight = advised(
  'no blank has to stand behind the colon of a data line',
  encoded({ tight: true }),
)

export const byteOrderMark = advised(
  'a byte order mark before the first event is passed over',
  encoded({ first: '\uFEFF' }),
)
