import type { ClauseId } from '../spec/index.ts'

/** Clauses of the chat areas that no scenario judges, each with the reason. A test holds this table complete. */
export const uncovered: Readonly<Partial<Record<ClauseId, string>>> = {
  'AUTH-KEY-ONCE': 'Keys are made in the project settings, which the contract does not show.',
}
