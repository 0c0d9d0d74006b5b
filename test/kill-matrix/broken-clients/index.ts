/** Every broken copy of a client, by what it does wrong, in words that follow "a client that". */
import { brokenOperations } from './operations.ts'
import type { BrokenClient } from './patch.ts'
import { brokenRetries } from './retries.ts'
import { brokenStreams } from './streams.ts'
import { brokenTurns } from './turns.ts'

export const brokenClients: Readonly<Record<string, BrokenClient>> = {
  ...brokenTurns,
  ...brokenRetries,
  ...brokenStreams,
  ...brokenOperations,
}
