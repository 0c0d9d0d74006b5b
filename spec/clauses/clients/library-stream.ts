import { must, should } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const client = 'Endpoints, Client behaviour, streamMessage'
const events = 'Resources, Streaming events'
const by = { actor: 'library' } as const
const implied = { actor: 'library', basis: 'implied' } as const
const iteration = 'async iteration of events with camelCase members'
const buffers = 'A client buffers incomplete lines'

export const libraryStreamClauses = {
  'LIB-STREAM': must('`streamMessage` gives the events one by one, in their order.', client, iteration, by),
  'LIB-STREAM-CAMEL-CASE': must('The members of its events are in camelCase.', client, iteration, by),
  'LIB-STREAM-SPLIT-LINE': must(
    'A line that arrives in two chunks is one line.',
    `${events}, last paragraph`,
    buffers,
    by,
  ),
  'LIB-STREAM-SPLIT-CHARACTER': must(
    'A character whose bytes arrive in two chunks is one character.',
    `${events}, last paragraph`,
    buffers,
    implied,
  ),
  'LIB-STREAM-UNKNOWN': must(
    'An event of an unknown type does not end the stream.',
    `${events}, last paragraph`,
    'handles unknown types without failing',
    by,
  ),
  'LIB-STREAM-GRAMMAR': must(
    'Comments, fields other than `data` and any of the three line ends are understood.',
    events,
    quoted.eventStream,
    {
      actor: 'library',
      basis: 'standard',
    },
  ),
  'LIB-STREAM-ERROR': must(
    'An `error` event does not look like a finished reply.',
    `${events}, error`,
    '`error` | `error` | Request failed mid-stream',
    implied,
  ),
  'LIB-STREAM-CUT': must(
    'A stream that breaks off before `done` does not look like a finished reply.',
    `${events}, done`,
    ['same final fields as a non-streaming reply', 'Stream finished'],
    implied,
  ),
  'LIB-STREAM-ONCE': should(
    'A finished reply is given once, whatever comes behind its `done`.',
    `${events}, done`,
    { actor: 'library', basis: 'advised' },
  ),
} as const
