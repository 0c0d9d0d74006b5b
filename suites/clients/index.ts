/** The suite for clients: every scenario by id, `<file>/<scenario>`. */
import { kebab } from '../scenario-ids.ts'
import * as approvals from './approvals.ts'
import * as billing from './billing.ts'
import * as chat from './chat.ts'
import * as chatAddresses from './chat-addresses.ts'
import * as commandLine from './command-line.ts'
import * as commandLineInput from './command-line-input.ts'
import * as commandLineProfiles from './command-line-profiles.ts'
import * as commandLineTurns from './command-line-turns.ts'
import * as commandLineWhoami from './command-line-whoami.ts'
import * as commandLineWork from './command-line-work.ts'
import * as copied from './copied.ts'
import * as cuts from './cuts.ts'
import * as discovery from './discovery.ts'
import * as kept from './kept.ts'
import * as operationAddresses from './operation-addresses.ts'
import * as operations from './operations.ts'
import * as rates from './rates.ts'
import * as refusals from './refusals.ts'
import * as replies from './replies.ts'
import type { ClientScenario, Concerned } from './client-scenario.ts'
import * as streamChunks from './stream-chunks.ts'
import * as streamEnds from './stream-ends.ts'
import * as streamEvents from './stream-events.ts'
import * as streamGrammar from './stream-grammar.ts'
import * as tasks from './tasks.ts'
import * as uploads from './uploads.ts'

const files = {
  chat,
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
  rates,
  uploads,
  'command-line': commandLine,
  'command-line-input': commandLineInput,
  'command-line-profiles': commandLineProfiles,
  'command-line-whoami': commandLineWhoami,
  'command-line-turns': commandLineTurns,
  'command-line-work': commandLineWork,
} as const satisfies Readonly<Record<string, Readonly<Record<string, ClientScenario>>>>

/** Ids begin with `client-`, so that they are nobody else's. */
export const clientScenarios: Readonly<Record<string, ClientScenario>> = Object.fromEntries(
  Object.entries(files).flatMap(([file, scenarios]) =>
    Object.entries<ClientScenario>(scenarios).map(
      ([name, scenario]) => [`client-${file}/${kebab(name)}`, scenario] as const,
    ),
  ),
)

/** Whose scenarios are run to whom: a library is a client, and a command line is asked in words of its own. */
const concerns: Readonly<Record<Concerned, readonly Concerned[]>> = {
  client: ['client'],
  library: ['client', 'library'],
  'command-line': ['command-line'],
}

export function clientScenariosFor(as: Concerned): Readonly<Record<string, ClientScenario>> {
  return Object.fromEntries(
    Object.entries(clientScenarios).filter(([, scenario]) => concerns[as].includes(scenario.concerns)),
  )
}
