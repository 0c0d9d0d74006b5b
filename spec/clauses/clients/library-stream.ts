import { advised, implied, must, should, standard, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const client = 'Endpoints, Client behaviour, streamMessage'
const events = 'Resources, Streaming events'
const by = { actor: 'library' } as const
const iteration = 'async iteration of events with camelCase members'
const buffers = 'A client buffers incomplete lines'

export const libraryStreamClauses = {
  'LIB-STREAM': must(
    '`streamMessage` gives the events one by one, in their order.',
    stated(client, iteration, by),
  ),
  'LIB-STREAM-CAMEL-CASE': must('The members of its events are in camelCase.', stated(client, iteration, by)),
  'LIB-STREAM-SPLIT-LINE': must(
    'A line that arrives in two chunks is one line.',
    stated(`${events}, last paragraph`, buffers, by),
  ),
  'LIB-STREAM-SPLIT-CHARACTER': must(
    'A character whose bytes arrive in two chunks is one character.',
    implied(`${events}, last paragraph`, buffers, by),
  ),
  'LIB-STREAM-UNKNOWN': must(
    'An event of an unknown type does not end the stream.',
    stated(`${events}, last paragraph`, 'handles unknown types without failing', by),
  ),
  'LIB-STREAM-GRAMMAR': must(
    'Comments, fields other than `data` and any of the three line ends are understood.',
    standard(events, quoted.eventStream, by),
  ),
  'LIB-STREAM-ERROR': must(
    'An `error` event does not look like a finished reply.',
    implied(`${events}, error`, '`error` | `error` | Request failed mid-stream', by),
  ),
  'LIB-STREAM-CUT': must(
    'A stream that breaks off before `done` does not look like a finished reply.',
    implied(`${events}, done`, ['same final fields as a non-streaming reply', 'Stream finished'], by),
  ),
  'LIB-STREAM-ONCE': should(
    'A finished reply is given once, whatever comes behind its `done`.',
    advised(`${events}, done`, [], by),
  ),
} as const
