/** Streams that are framed in an unusual way. */
import { onEvents } from '../modification/changes.ts'
import { variant, type Variant } from '../modification/modification.ts'

const standard = 'Server-Sent Events'

export const streamVariants = {
  'crlf-lines': variant({
    title: 'Lines of a stream end with carriage return and line feed.',
    allowed: `${standard} allows CR LF, LF and CR alike.`,
    wire: { eol: '\r\n' },
  }),
  'cr-lines': variant({
    title: 'Lines of a stream end with a carriage return alone.',
    allowed: `${standard} allows CR LF, LF and CR alike.`,
    wire: { eol: '\r' },
  }),
  'comments-between': variant({
    title: 'A comment stands before every event.',
    allowed: `${standard} has comments, which a client passes over.`,
    wire: { comment: 'data: {"type":"done"}' },
  }),
  'keep-alive': variant({
    title: 'A comment goes out whenever a stream was silent for 20 ms.',
    allowed: `${standard} advises comments against idle timeouts.`,
    wire: { keepAliveMs: 20 },
  }),
  'opening-comment': variant({
    title: 'A stream opens with two kilobytes of comment, against clients that buffer.',
    allowed: `${standard} has comments, which a client passes over.`,
    wire: { preamble: `:${' '.repeat(2048)}\n\n` },
  }),
  'retry-line': variant({
    title: 'A stream opens by saying when to reconnect.',
    allowed: `${standard} has the field retry; a block without data is no event.`,
    wire: { preamble: 'retry: 10000\n\n' },
  }),
  'event-and-id-lines': variant({
    title: 'Every event also has lines with its type and its number.',
    allowed: `${standard} has the fields event and id; the contract speaks of data lines only.`,
    wire: { eventLine: true, idLine: true },
  }),
  'more-blank-lines': variant({
    title: 'Three empty lines stand after every event.',
    allowed: `${standard} ends an event with the first; the others are no events.`,
    wire: { blankLines: 3 },
  }),
  'byte-by-byte': variant({
    title: 'A stream is sent three bytes at a time, also within characters.',
    allowed: 'A client buffers incomplete lines.',
    wire: { chunkBytes: 3 },
  }),
  'buffered-stream': variant({
    title: 'A whole stream is sent in one write at its end.',
    allowed: 'When the events of a stream go out is not stated.',
    wire: { buffered: true },
  }),
  'bare-stream-type': variant({
    title: 'A stream is plain text/event-stream, without a charset.',
    allowed: `${standard} is UTF-8 always; the parameter is optional.`,
    wire: { streamContentType: 'text/event-stream' },
  }),
  'loud-stream-type': variant({
    title: 'The content type of a stream is in capitals, with a quoted parameter.',
    allowed: 'HTTP compares media types without case, and allows quotes.',
    wire: { streamContentType: 'Text/Event-Stream;Charset="UTF-8"' },
  }),
  'no-tokens': variant({
    title: 'A stream consists of done alone.',
    allowed: 'How many token events a reply has is not stated.',
    ...onEvents((event) => (event.type === 'token' ? [] : [event])),
  }),
  'token-per-character': variant({
    title: 'A token event for every character, and one that is empty before each.',
    allowed: 'What a token holds is not stated beyond being a part of the reply.',
    ...onEvents((event) =>
      event.type === 'token' && typeof event['token'] === 'string'
        ? Array.from(event['token']).flatMap((token) => [
            { type: 'token', token: '' },
            { type: 'token', token },
          ])
        : [event],
    ),
  }),
  'unknown-events': variant({
    title: 'Events of types that nobody knows stand between the others.',
    allowed: 'A client handles unknown types without failing.',
    ...onEvents((event) => [{ type: 'progress', percent: 50, done: null }, event]),
  }),
  'events-with-more-members': variant({
    title: 'Every event carries a time and a trace beside its members.',
    allowed: 'Members beside those that are shown are not ruled out.',
    ...onEvents((event) => [{ ...event, at: 1_700_000_000_000, trace: { span: 'a', parents: [] } }]),
  }),
} as const satisfies Record<string, Variant>
