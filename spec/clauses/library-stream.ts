import { must, should } from '../clause.ts'

const client = 'Endpoints, Client behaviour, streamMessage'
const events = 'Resources, Streaming events'
const by = { actor: 'library' } as const
const implied = { actor: 'library', basis: 'implied' } as const

export const libraryStream = {
  'LIB-STREAM': must('`streamMessage` gives the events one by one, in their order.', client, by),
  'LIB-STREAM-CAMEL-CASE': must('The members of its events are in camelCase.', client, by),
  'LIB-STREAM-SPLIT-LINE': must(
    'A line that arrives in two chunks is one line.',
    `${events}, last paragraph`,
    by,
  ),
  'LIB-STREAM-SPLIT-CHARACTER': must(
    'A character whose bytes arrive in two chunks is one character.',
    `${events}, last paragraph`,
    implied,
  ),
  'LIB-STREAM-UNKNOWN': must(
    'An event of an unknown type does not end the stream.',
    `${events}, last paragraph`,
    by,
  ),
  'LIB-STREAM-GRAMMAR': must(
    'Comments, fields other than `data` and any of the three line ends are understood.',
    events,
    {
      actor: 'library',
      basis: 'standard',
    },
  ),
  'LIB-STREAM-ERROR': must(
    'An `error` event does not look like a finished reply.',
    `${events}, error`,
    implied,
  ),
  'LIB-STREAM-CUT': must(
    'A stream that breaks off before `done` does not look like a finished reply.',
    `${events}, done`,
    implied,
  ),
  'LIB-STREAM-ONCE': should(
    'A finished reply is given once, whatever comes behind its `done`.',
    `${events}, done`,
    { actor: 'library', basis: 'advised' },
  ),
} as const
