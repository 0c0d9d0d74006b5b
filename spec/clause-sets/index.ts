// Written by `npm run generate` from the sets beside it. Do not edit.
import { levels as of202611 } from './2026-11.ts'

/** By revision of the contract: the clauses that count for it with their levels, and the SHA-256 of both. */
export const clauseSets = {
  '2026-11': {
    digest: 'f397fd175aaff403312f6a4ad1c0755b5b906aa30fe84e38c910cd4f1e2e56d4',
    levels: of202611,
  },
} as const

export type Revision = keyof typeof clauseSets
export const newestRevision = '2026-11' satisfies Revision
