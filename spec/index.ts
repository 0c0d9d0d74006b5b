/** The contract as data and types. Imports nothing of the project. */
export * from './clause.ts'
export * from './clauses/index.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './gap.ts'
export * from './gaps.ts'
export * from './limits.ts'
export * from './not-shown.ts'
export type * from './operations.ts'
export * from './states.ts'
export type * from './types/openapi.ts'
export type {
  ActionCompleteEvent,
  ActionStartEvent,
  DoneEvent,
  ErrorEvent,
  GateTriggeredEvent,
  StreamEvent,
  TokenEvent,
} from './types/asyncapi.ts'
