/** The `--clause-set` option, without the code that reads sets. */
import { collect } from '../values.ts'

export interface ClauseSetOptions {
  clauseSet?: readonly string[]
}

export const clauseSetOption = [
  '--clause-set <set>',
  'judge by this clause set, a name or a file; by further ones for information (repeatable)',
  collect,
] as const
