// Written by `npm run generate` from the sets beside it. Do not edit.
import { levels as of202611 } from './2026-11.ts'

/** By revision of the contract: the clauses that count for it with their levels, and the SHA-256 of both. */
export const clauseSets = {
  '2026-11': {
    digest: 'dd08bfd28d6a3d89d12273e2d2589e396900d1f480b8b020e56f5c1a28e4c08d',
    levels: of202611,
  },
} as const

export type Revision = keyof typeof clauseSets
export const newestRevision = '2026-11' satisfies Revision
