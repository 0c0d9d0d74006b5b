import type { ClauseId } from '../../spec/index.ts'

/** Clauses of receivers that no scenario judges, each with the reason. A test holds this table complete. */
export const uncoveredOfReceivers: Readonly<Partial<Record<ClauseId, string>>> = {
  'RECV-CONSTANT-TIME':
    'Times over a network do not show it: read the comparison in the source, with the list in docs/receiver.md.',
  'RECV-PROCESS-LATER': 'Only the receiver knows when its work is done; a slow answer shows as RECV-QUICK.',
}
