/** The commands that start a simulator, or what it sends to. */
import { contractIdentifiers, withIdentifiers } from '../../spec/identifiers.ts'
import { row, type CommandGroup, type CommandRow } from '../command.ts'
import { controlHelp } from '../options.ts'
import { proxyRow } from './run.ts'
import { execFlags, listenFlags, simulateFlags, tailFlags } from './options.ts'

const execHelp = `
Environment of the command:
  {baseUrlVariable}         base URL of the simulator, on the loopback interface
  {apiKeyVariable}          API key with all scopes
  TOUCHSTONE_AGENT         id of the agent that repeats the message
  TOUCHSTONE_SESSION       token of a signed-in user
  TOUCHSTONE_SEED          seed of keys and ids
  TOUCHSTONE_CONTROL_URL   control URL of the tenant, unless --no-control
  TOUCHSTONE_CONTROL_TOKEN with --control-token
  TOUCHSTONE_TENANT        all keys, agents and sessions by role, as JSON

Examples:
  touchstone exec -- npm test
  touchstone exec --require 'error.*,stream.cut' -- npm test
  touchstone exec --clock frozen --replies replies.yaml -- python -m pytest
  touchstone exec -- ./my-client --url {base_url} --key {api_key}`

const execMore = `
With --vendor acme, the first two are ACME_BASE_URL and ACME_API_KEY. In arguments of the command,
{base_url}, {api_key}, {agent}, {session}, {seed}, {control_url} and {control_token} are replaced by
the same values. No shell is involved. The exit code is that of the command, or 128 plus the number
of the signal that ended it, or 2 if the command cannot be started, or 1 if it succeeded and what
--require names was not met.

Afterwards it prints which events, errors and states the requests met, how to test with the others,
and what the client did wrong (see docs/coverage.md).`

export const simulateRow = row({
  name: 'simulate',
  description: 'start a simulator of the service',
  options: simulateFlags,
  help: `
Examples:
  touchstone simulate
  touchstone simulate --open
  touchstone simulate --port 0 --json
  touchstone simulate --clock frozen --replies replies.yaml
  touchstone simulate --situation expired-button
  touchstone simulate --store file:simulator.db
  touchstone simulate --snapshot snapshot.json
  touchstone simulate --allow-target 10.1.0.0/16 --allow-target receiver.test
  touchstone simulate --fault replay-unmarked --interpret GAP-REPLAY-TOKENS=with-tokens

Ctrl-C or SIGTERM stops the simulator with exit code 0: it accepts no new connections and finishes
work in flight. A second one stops it at once.`,
  run: async (_, given, io) => (await import('../simulate/simulate.ts')).simulate(given, io),
})

export const simulatorRows: readonly (CommandRow | CommandGroup)[] = [
  row({
    name: 'exec',
    description: 'run a command with a simulator of its own',
    argument: ['<command...>', 'after --: the command and its arguments'],
    options: execFlags,
    help: withIdentifiers(execHelp, contractIdentifiers),
    more: execMore,
    run: async (words, given, io) => (await import('../exec/exec.ts')).runExec(words, given, io),
  }),
  row({
    name: 'listen',
    description: 'receive and check webhook deliveries, and respond as specified',
    options: listenFlags,
    help: `
Responses, one per request; the last one repeats:
  200, 404, 500 …  this status
  hang             none
  close            none; the connection is reset
  drip             200 at once, and a body that never ends
  slow:3s          200 after this time (ms, s)

Examples:
  touchstone listen
  touchstone listen --secret env:WEBHOOK_SECRET --answer 500,500,200
  touchstone listen --forward http://localhost:3000/hooks --record deliveries.ndjson

Deliveries go to stdout, messages to stderr. Ctrl-C prints a summary and ends with exit code 0.`,
    run: async (_, given, io) => (await import('../listen/listen.ts')).listen(given, io),
  }),
  proxyRow,
  {
    name: 'replies',
    description: 'check a reply file of the simulator',
    commands: [
      row({
        name: 'check',
        description: 'check a reply file and print every error with its line',
        argument: ['<file>', 'YAML or JSON'],
        run: async ([file = '']) => (await import('../simulate/reply-file.ts')).checkReplies(file),
      }),
    ],
  },
]

export const tailRow = row({
  name: 'tail',
  description: 'print requests as they happen',
  options: tailFlags,
  help: `
Each line has the number of the request, its time, method and path, the status, the idempotency key,
the outcome of a turn (run, replay …) or an error code, its credits, and how long the response took.

Examples:
  touchstone sim tail
  touchstone sim tail --path /api/v1/chat --status 4xx --bodies
  touchstone sim tail --no-follow --json

Ctrl-C ends it with exit code 0.
${controlHelp}`,
  run: async (_, given, io) => (await import('../control/tail.ts')).tail(given, io),
})
