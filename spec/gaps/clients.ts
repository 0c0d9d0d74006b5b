import { ambiguous, silentGap } from '../gap.ts'

const client = 'Endpoints, Client behaviour'

export const clientsGaps = {
  'GAP-CLIENT-RETRY': ambiguous({
    question: 'Does the library send a request again by itself, or does it leave that to its caller?',
    source: 'Errors, 409 codes; Errors, Operation errors',
    unjudged: 'Whether it does; only what is sent again, and when, is judged.',
    interpretations: {
      caller: 'It is left to the caller.',
      itself: 'It sends it again a bounded number of times.',
    },
  }),
  'GAP-CLIENT-POLL': ambiguous({
    question: 'Who polls a task: the library or its caller?',
    source: `${client}, last rows`,
    unjudged: 'Which of them, and how often.',
    interpretations: {
      caller: 'The caller, with a read of the library.',
      itself: '`executeOperation` waits.',
    },
  }),
  'GAP-CLIENT-ERRORS': silentGap({
    question: 'How does the library hand an error to its caller?',
    source: client,
    unjudged: 'The form; the caller only has to see that there was one.',
    interpretations: { thrown: 'It throws.', returned: 'It returns it.' },
  }),
  'GAP-CLIENT-KEYS': ambiguous({
    question: 'Does the library make up upload keys, or does its caller?',
    source: 'Endpoints, Operations catalog, upload routes',
    unjudged: 'Which of them; they only have to stay the same.',
    interpretations: { caller: 'The caller hands them in.', itself: 'They follow from what is uploaded.' },
  }),
  'GAP-CLIENT-IDS': silentGap({
    question: 'Which characters may the id of an agent, an operation or a task have in an address?',
    source: 'Endpoints, Chat; Endpoints, Operations catalog',
    unjudged: 'How a client writes an id that has others than letters, digits, ".", "_" and "-".',
    interpretations: {
      any: 'Any character; a client encodes the id as one segment of the path.',
      plain: 'Only such as need no encoding.',
    },
  }),
  'GAP-CLI-OUTPUT': silentGap({
    question: 'What does the command line print, and with which exit code does it end?',
    source: `${client}, command line`,
    unjudged: 'Both, beyond that `--json` prints JSON and a failure is not exit code 0.',
    interpretations: { reply: 'The reply or the receipt as it came, and 1 on a failure.' },
  }),
} as const
