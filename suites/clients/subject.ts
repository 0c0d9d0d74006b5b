/** The client under test: what it is called, whose clauses it is held against, and what it can do. */
import type { Identifiers } from '../../spec/identifiers.ts'
import { emptyPolicy, type Policy } from '../policy/policy.ts'
import type { Budgets } from '../config/target.ts'
import type { ClientKind } from '../../reports/bundle/client-report.ts'
import { actions, type Action } from './execution/task.ts'

export interface ClientSubject {
  /** For people: the command, without secrets. */
  name: string
  as: ClientKind
  /** The word of the service that it is a client of, and its identifiers; absent: as the contract writes them. */
  vendor?: string
  identifiers?: Identifiers
  /** Actions that it was said to have; a scenario that asks for another is not applicable. */
  can: readonly Action[]
  /** Of these, `requests` and `wallSeconds` hold for a client. */
  budgets: Budgets
  policy: Policy
}

const budgets: Budgets = {
  requests: 100_000,
  turns: 0,
  credits: 0,
  wallSeconds: 1_800,
  requestsPerMinute: 1,
}

/** What is ordinary for anything not given. */
export function clientCalled(name: string, more: Partial<ClientSubject> = {}): ClientSubject {
  const as = more.as ?? 'client'
  const can = actions.filter((action) => (action === 'command') === (as === 'command-line'))
  return { name, as, can, budgets, policy: emptyPolicy, ...more }
}
