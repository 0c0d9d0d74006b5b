// Written by `npm run generate` from the sets beside it. Do not edit.
import { levels as of202611 } from './2026-11.ts'

/** By revision of the contract: the clauses that count for it with their levels, and the SHA-256 of both. */
export const clauseSets = {
  '2026-11': {
    digest: '5dd2e16f9db5a12528c596545edb94298b8db4f27167c85bbf9a5adf6a16aa80',
    levels: of202611,
  },
} as const

export type Revision = keyof typeof clauseSets
export const newestRevision = '2026-11' satisfies Revision
