import { must } from '../clause.ts'

const options = 'Endpoints, Client behaviour, command line'
const source = 'Endpoints, Client behaviour, credential source'
const profiles = 'Authentication, Chat and operations, 7'
const by = { actor: 'command-line' } as const
const implied = { actor: 'command-line', basis: 'implied' } as const

export const commandLine = {
  'CLI-CHAT-REQUIRED': must('Chat needs `--agent`, `--message` and `--idempotency-key`.', options, by),
  'CLI-CHAT-OPTIONS': must(
    '`--conversation-id` continues that conversation, `--stream` asks for a stream.',
    options,
    implied,
  ),
  'CLI-JSON': must('`--json` prints JSON.', options, implied),
  'CLI-INTERACTION': must('`--interaction` sends the selection of a button.', options, by),
  'CLI-BASE-URL': must('The base address is taken from `--base-url` or `SERVICE_BASE_URL`.', options, by),
  'CLI-CONFIRM': must('`--confirm` only acknowledges here; what the server holds stays held.', options, by),
  'CLI-INPUT-ONE-VALUE': must('`--input` that is not one complete JSON value is rejected.', options, by),
  'CLI-INPUT-ELLIPSIS': must('`--input` with an ellipsis or spread syntax is rejected.', options, by),
  'CLI-PROFILE-WINS': must('A profile chosen with `--profile` wins over `SERVICE_API_KEY`.', source, by),
  'CLI-ENV-WINS': must('Where no profile is chosen, `SERVICE_API_KEY` wins.', source, by),
  'CLI-PROFILE-VERIFIED': must('A profile is saved only after the catalog accepted its key.', profiles, by),
  'CLI-WHOAMI': must(
    'The whoami check names the source of the credential and counts reachable agents and operations.',
    profiles,
    by,
  ),
  'CLI-WHOAMI-NO-KEY': must('It does not print the key.', profiles, by),
  'CLI-REFUSED': must(
    'A permission failure or an invalid session is not worked around.',
    'Authentication, Chat and operations, 6',
    by,
  ),
} as const
