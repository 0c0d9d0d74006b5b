/** The suite for clients: every scenario by id, `<file>/<scenario>`. */
import { kebab } from '../scenario/scenario.ts'
import * as approvals from './operations/approvals.ts'
import * as billing from './operations/billing.ts'
import * as chat from './chat/chat.ts'
import * as chatAddresses from './chat/chat-addresses.ts'
import * as commandLine from './command-line/command-line.ts'
import * as commandLineInput from './command-line/command-line-input.ts'
import * as commandLineProfiles from './command-line/command-line-profiles.ts'
import * as commandLineTurns from './command-line/command-line-turns.ts'
import * as commandLineWhoami from './command-line/command-line-whoami.ts'
import * as commandLineWork from './command-line/command-line-work.ts'
import * as copied from './chat/copied.ts'
import * as cuts from './chat/cuts.ts'
import * as discovery from './operations/discovery.ts'
import * as kept from './chat/kept.ts'
import * as operationAddresses from './operations/operation-addresses.ts'
import * as operations from './operations/operations.ts'
import * as rates from './chat/rates.ts'
import * as refusals from './chat/refusals.ts'
import * as replies from './chat/replies.ts'
import type { ClientKind } from '../../bundle/client-report.ts'
import type { ClientScenario } from './client-scenario.ts'
import * as streamChunks from './streams/stream-chunks.ts'
import * as streamEnds from './streams/stream-ends.ts'
import * as streamEvents from './streams/stream-events.ts'
import * as streamGrammar from './streams/stream-grammar.ts'
import * as tasks from './operations/tasks.ts'
import * as uploads from './operations/uploads.ts'

const files = {
  chat,
  // It waits longest: the others run beside it.
  rates,
  'chat-addresses': chatAddresses,
  replies,
  refusals,
  cuts,
  'stream-events': streamEvents,
  'stream-chunks': streamChunks,
  'stream-grammar': streamGrammar,
  'stream-ends': streamEnds,
  billing,
  discovery,
  operations,
  'operation-addresses': operationAddresses,
  tasks,
  approvals,
  copied,
  kept,
  uploads,
  'command-line': commandLine,
  'command-line-input': commandLineInput,
  'command-line-profiles': commandLineProfiles,
  'command-line-whoami': commandLineWhoami,
  'command-line-turns': commandLineTurns,
  'command-line-work': commandLineWork,
} as const satisfies Readonly<Record<string, Readonly<Record<string, ClientScenario>>>>

/** Ids begin with `client-`, so that they differ from those of other suites. */
export const clientScenarios: Readonly<Record<string, ClientScenario>> = Object.fromEntries(
  Object.entries(files).flatMap(([file, scenarios]) =>
    Object.entries<ClientScenario>(scenarios).map(
      ([name, scenario]) => [`client-${file}/${kebab(name)}`, scenario] as const,
    ),
  ),
)

/** Whose scenarios are run to whom: a library is a client, and a command line is asked in words of its own. */
const concerns: Readonly<Record<ClientKind, readonly ClientKind[]>> = {
  client: ['client'],
  library: ['client', 'library'],
  'command-line': ['command-line'],
}

export function clientScenariosFor(as: ClientKind): Readonly<Record<string, ClientScenario>> {
  return Object.fromEntries(
    Object.entries(clientScenarios).filter(([, scenario]) => concerns[as].includes(scenario.clientKind)),
  )
}
