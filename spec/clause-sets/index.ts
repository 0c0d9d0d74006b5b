// Written by `npm run generate` from the sets beside it. Do not edit.
import { levels as of202611 } from './2026-11.ts'

/** By revision of the contract: the clauses that count for it with their levels, and the SHA-256 of both. */
export const clauseSets = {
  '2026-11': {
    digest: '56999dc1868123b6247582f1dad66e8b7d7c19cfef87ee0bd7518610843c97a1',
    levels: of202611,
  },
} as const

export type Revision = keyof typeof clauseSets
export const newestRevision = '2026-11' satisfies Revision
