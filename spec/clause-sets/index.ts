// Written by `npm run generate` from the sets beside it. Do not edit.
import { levels as of202611 } from './2026-11.ts'

/** By revision of the contract: the clauses that count for it with their levels, and the SHA-256 of both. */
export const clauseSets = {
  '2026-11': {
    digest: '29a4c25b9512fe017a10ea9cb27a4bb260919cb8d42823bf630a4d6935cb0eff',
    levels: of202611,
  },
} as const

export type Revision = keyof typeof clauseSets
export const newestRevision = '2026-11' satisfies Revision
