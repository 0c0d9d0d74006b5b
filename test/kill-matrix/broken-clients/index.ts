/** Every broken copy of a client, by what it does wrong, in words that follow "a client that". */
import { brokenHands } from './handed.ts'
import { brokenPersistence } from './kept.ts'
import { brokenLibraries } from './library.ts'
import { brokenOperations } from './operations.ts'
import type { BrokenClient } from './patch.ts'
import { brokenRetries } from './retries.ts'
import { about, onlyFor } from './scenarios.ts'
import { brokenStreams } from './streams.ts'
import { brokenTurns } from './turns.ts'

export const brokenClients: Readonly<Record<string, BrokenClient>> = {
  ...onlyFor(about.turns, brokenTurns),
  ...onlyFor(about.retries, brokenRetries),
  ...onlyFor(about.streams, brokenStreams),
  ...onlyFor(about.operations, brokenOperations),
  ...brokenHands,
  ...brokenPersistence,
  ...brokenLibraries,
}
