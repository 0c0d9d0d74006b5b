/** What Server-Sent Events allow beside data lines, and how lines may end. */
import type { Judgement } from '../../scenario/judgement.ts'
import { givesBoth, givesUnlessLeft, oddStream, silenceMs, spelled, type Streams } from './stream-scenario.ts'
import type { Context } from '../../scenario/scenario.ts'

export const comments = oddStream(
  'comments are passed over, wherever they stand',
  ['LIB-STREAM-GRAMMAR'],
  spelled({ first: ': welcome\n\n', before: ':\n: data: {"type":"done"}\n', last: ': goodbye\n\n' }),
)

export const returnAndFeed = oddStream(
  'lines may end with a return and a line feed',
  ['LIB-STREAM-GRAMMAR'],
  spelled({ lineEnd: '\r\n' }),
)

export const cutReturnAndFeed = oddStream(
  'a return and a line feed that are cut by the network are one line end',
  ['LIB-STREAM-GRAMMAR', 'LIB-STREAM-SPLIT-LINE'],
  spelled({ lineEnd: '\r\n', writes: 'within-line-ends', gapMs: 5 }),
)

export const returnAlone = oddStream(
  'lines may end with a return alone',
  ['LIB-STREAM-GRAMMAR'],
  spelled({ lineEnd: '\r' }),
)

export const fields = oddStream(
  'fields other than data are passed over',
  ['LIB-STREAM-GRAMMAR'],
  spelled({ first: 'retry: 5000\n\n', before: 'event: message\nid: 7\nx-other: data\nnothing\n' }),
)

export const commentsInSilence = oddStream(
  'comments keep a stream alive that has nothing to say for a while',
  ['LIB-STREAM-GRAMMAR'],
  spelled({ silence: { behind: 2, ms: silenceMs, comments: true } }),
  givesUnlessLeft,
)

/** The contract writes a blank behind the colon, and no mark before the text: that the standard does not ask for it is advice. */
function advised(acts: Streams, context: Context): Judgement {
  const judged = givesBoth(acts, context)
  return judged.is === 'broken' ? { ...judged, is: 'weak' } : judged
}

export const tight = oddStream(
  'no blank has to stand behind the colon of a data line',
  ['LIB-STREAM-GRAMMAR'],
  spelled({ tight: true }),
  advised,
)

export const byteOrderMark = oddStream(
  'a byte order mark before the first event is passed over',
  ['LIB-STREAM-GRAMMAR'],
  spelled({ first: '\uFEFF' }),
  advised,
)
