import type { ClauseId } from '../../spec/index.ts'

/** Clauses of clients that no scenario judges, each with the reason. A test holds this table complete. */
export const uncoveredOfClients: Readonly<Partial<Record<ClauseId, string>>> = {
  'LIB-THIN': 'What a client does within itself does not show: read its source for an agent runtime.',
  'LIB-KEY-SERVER-SIDE': 'Where a key is kept shows in what is shipped and published, not in requests.',
}
