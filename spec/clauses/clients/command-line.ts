import { implied, must, stated } from '../../clause.ts'

const options = 'Endpoints, Client behaviour, command line'
const source = 'Endpoints, Client behaviour, credential source'
const profiles = 'Authentication, Chat and operations, 7'
const by = { actor: 'command-line' } as const
const flags = 'Options: `--conversation-id`, `--stream`, `--json`'

export const commandLineClauses = {
  'CLI-CHAT-REQUIRED': must(
    'Chat needs `--agent`, `--message` and `--idempotency-key`.',
    stated(options, 'chat needs `--agent`, `--message`, `--idempotency-key`', by),
  ),
  'CLI-CHAT-OPTIONS': must(
    '`--conversation-id` continues that conversation, `--stream` asks for a stream.',
    implied(options, flags, by),
  ),
  'CLI-JSON': must('`--json` prints JSON.', implied(options, flags, by)),
  'CLI-INTERACTION': must(
    '`--interaction` sends the selection of a button.',
    stated(options, '`--interaction` (a `workflow_button` selection)', by),
  ),
  'CLI-BASE-URL': must(
    'The base address is taken from `--base-url` or `{baseUrlVariable}`.',
    stated(options, '`--base-url` (also env', by),
  ),
  'CLI-CONFIRM': must(
    '`--confirm` only acknowledges here; what the server holds stays held.',
    stated(options, 'local acknowledgement of a destructive command; server approval still applies', by),
  ),
  'CLI-INPUT-ONE-VALUE': must(
    '`--input` that is not one complete JSON value is rejected.',
    stated(options, 'must be one complete JSON value', by),
  ),
  'CLI-INPUT-ELLIPSIS': must(
    '`--input` with an ellipsis or spread syntax is rejected.',
    stated(options, 'ellipses and spread syntax are rejected', by),
  ),
  'CLI-PROFILE-WINS': must(
    'A profile chosen with `--profile` wins over `{apiKeyVariable}`.',
    stated(source, 'with `--profile`, that saved profile wins over env', by),
  ),
  'CLI-ENV-WINS': must(
    'Where no profile is chosen, `{apiKeyVariable}` wins.',
    stated(source, 'with no profile chosen, the env key wins', by),
  ),
  'CLI-PROFILE-VERIFIED': must(
    'A profile is saved only after the catalog accepted its key.',
    stated(profiles, 'saves named local profiles after verifying a key against the operation catalog', by),
  ),
  'CLI-WHOAMI': must(
    'The whoami check names the source of the credential and counts reachable agents and operations.',
    stated(profiles, 'reports the credential source and the counts of reachable agents and operations', by),
  ),
  'CLI-WHOAMI-NO-KEY': must('It does not print the key.', stated(profiles, 'without printing the key', by)),
  'CLI-REFUSED': must(
    'A permission failure or an invalid session is not worked around.',
    stated(
      'Authentication, Chat and operations, 6',
      'Permission failures and invalid sessions are not bypassed by the clients',
      by,
    ),
  ),
} as const
