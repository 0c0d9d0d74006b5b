/** Every broken copy of a client, by what it does wrong, in words that follow "a client that". */
import { brokenHands } from './handed.ts'
import { brokenKeepers } from './kept.ts'
import { brokenLibraries } from './library.ts'
import { brokenOperations } from './operations.ts'
import type { BrokenClient } from './patch.ts'
import { brokenRetries } from './retries.ts'
import { about, told } from './scenarios.ts'
import { brokenStreams } from './streams.ts'
import { brokenTurns } from './turns.ts'

export const brokenClients: Readonly<Record<string, BrokenClient>> = {
  ...told(about.turns, brokenTurns),
  ...told(about.retries, brokenRetries),
  ...told(about.streams, brokenStreams),
  ...told(about.operations, brokenOperations),
  ...brokenHands,
  ...brokenKeepers,
  ...brokenLibraries,
}
