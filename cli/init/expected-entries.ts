/** Policy entries for what was not given, so that a first run can pass its gate. */
import type { ExpectedNotExercised } from '../../suites/policy/policy.ts'
import type { InitAnswers } from './answers.ts'

export interface ExpectedEntry extends ExpectedNotExercised {
  /** When to remove the entry. */
  until: string
}

const managed = 'Take it out once `session` is there.'
const delivered = 'Take it out once `session` and `receiver` are there.'
const executed = 'Take it out once `fixtures.operations` has a read, and a write with `optIn: [writes]`.'

const noSession = expectationsOf('no signed-in user for tests', {
  'webhook-*': managed,
  'delivery*': delivered,
  attempts: delivered,
  signing: delivered,
})

const noReceiver = expectationsOf('nowhere to deliver to', {
  'receiver-unreachable': 'Take it out once `receiver` is there.',
})

const noOperation = expectationsOf('no operations for tests', {
  discovery:
    'Take it out once `principals` has keys with and without `agent_design_read`, and `fixtures.operations` a read.',
  execution: executed,
  receipts: executed,
  tasks: 'Take it out once `fixtures.operations` has a write that leads to accepted, with `optIn: [writes]`.',
  approvals:
    'Take it out once `fixtures.operations` has a write that leads to pending_approval, with `optIn: [writes]`.',
  uploads: 'Take it out once `dialect.uploads` is there, with `optIn: [writes]`.',
  billing: 'Take it out once `principals` has keys with and without `billing_read`.',
  scopes:
    'Take it out once `principals` has keys with and without each scope, and `fixtures.operations` a read.',
})

function expectationsOf(reason: string, until: Readonly<Record<string, string>>): readonly ExpectedEntry[] {
  return Object.entries(until).map(([pattern, words]) => ({ pattern, reason, until: words }))
}

/** Empty if everything was given. */
export function expectedFor({ session, receiver, operation }: InitAnswers): readonly ExpectedEntry[] {
  return [
    ...(session === undefined ? noSession : []),
    ...(session !== undefined && receiver === undefined ? noReceiver : []),
    ...(operation === undefined ? noOperation : []),
  ]
}
