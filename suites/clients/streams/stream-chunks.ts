/** Streams that arrive in pieces: wherever a network cuts, the events are the same. */
import { oddStream, replyTokens, encoded } from './stream-scenario.ts'

const short = { replies: replyTokens(['é', '世 ', '🙂']) }

export const everyByte = oddStream(
  'a stream that arrives byte by byte is the same stream',
  ['LIB-STREAM-SPLIT-LINE', 'LIB-STREAM-SPLIT-CHARACTER'],
  encoded({ writes: 'every-byte', gapMs: 1 }, short),
)

export const withinCharacters = oddStream(
  'characters that are cut by the network are the same characters',
  ['LIB-STREAM-SPLIT-CHARACTER'],
  encoded({ writes: 'within-characters', gapMs: 5 }),
)

export const withinLineEnds = oddStream(
  'line ends that are cut by the network are the same line ends',
  ['LIB-STREAM-SPLIT-LINE'],
  encoded({ writes: 'within-line-ends', gapMs: 5 }),
)

export const withinLines = oddStream(
  'lines that are cut by the network are the same lines',
  ['LIB-STREAM-SPLIT-LINE'],
  encoded({ writes: { at: [1, 4, 5, 6, 7, 9, 30, 61, 62, 100, 101, 150] }, gapMs: 10 }),
)

export const together = oddStream(
  'events that arrive all at once are as many events',
  ['LIB-STREAM', 'LIB-STREAM-SPLIT-LINE'],
  encoded({ writes: 'whole' }),
)

/** Longer than any buffer that a network or a program is likely to have for a line. */
const long = 'Ein langes Wort – 世 '.repeat(12_000)

export const longLine = oddStream(
  'a line of a quarter of a million characters is one line',
  ['LIB-STREAM-SPLIT-LINE'],
  encoded({}, { replies: replyTokens(['kurz ', long, ' kurz']) }),
)
