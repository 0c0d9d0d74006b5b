/** Every broken copy of a client, by what it does wrong, in words that follow "a client that". */
import { brokenLibraries } from './library.ts'
import { brokenOperations } from './operations.ts'
import type { BrokenClient } from './patch.ts'
import { brokenRetries } from './retries.ts'
import { brokenStreams } from './streams.ts'
import { brokenTurns } from './turns.ts'

type Table = Readonly<Record<string, BrokenClient>>

const turns = ['client-chat/*', 'client-replies/*', 'client-refusals/*', 'client-cuts/*']
const streams = ['client-stream-*']
const writes = ['client-operations/*', 'client-uploads/*']
const operations = [
  ...writes,
  ...['billing', 'discovery', 'tasks', 'approvals'].map((area) => `client-${area}/*`),
]

/** What has nothing to do with what is broken tells nothing of it, and takes as long. */
function told(stories: readonly string[], clients: Table): Table {
  return Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, { ...client, stories }]))
}

export const brokenClients: Table = {
  ...told(turns, brokenTurns),
  ...told([...turns, ...writes], brokenRetries),
  ...told(streams, brokenStreams),
  ...told(operations, brokenOperations),
  ...brokenLibraries,
}
