/** Everything that the simulator can get wrong on purpose. */
import type { Fault } from '../modification/modification.ts'
import { outcomeFaults } from './outcomes.ts'
import { attemptFaults } from './attempts.ts'
import { chatRequestFaults } from './chat-requests.ts'
import { readFaults } from './reads.ts'
import { raceFaults } from './races.ts'
import { turnFaults } from './turns.ts'
import { replyFaults } from './replies.ts'
import { targetFaults } from './targets.ts'
import { executionFaults } from './executions.ts'
import { idempotencyKeyFaults } from './idempotency-keys.ts'
import { replayFaults } from './replays.ts'
import { eventFaults } from './events.ts'
import { olderFaults } from './older.ts'
import { streamFaults } from './streams.ts'
import { managementFaults } from './management.ts'

export const faults = {
  ...chatRequestFaults,
  ...raceFaults,
  ...turnFaults,
  ...replyFaults,
  ...streamFaults,
  ...idempotencyKeyFaults,
  ...replayFaults,
  ...olderFaults,
  ...managementFaults,
  ...targetFaults,
  ...eventFaults,
  ...attemptFaults,
  ...readFaults,
  ...executionFaults,
  ...outcomeFaults,
} as const satisfies Record<string, Fault>
