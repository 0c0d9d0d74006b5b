/** The contract as data and types. Imports nothing of the project. */
export * from './clause.ts'
export * from './clauses/index.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './gap.ts'
export * from './gaps.ts'
export * from './limits.ts'
export * from './states.ts'
