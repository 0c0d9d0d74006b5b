/** What went wrong with PostgreSQL: what may be over in a while is told apart from what stays wrong. */
import { StoreRefused } from './refused.ts'
import { StoreAway } from './store.ts'

/** SQLSTATEs of a server that cannot now: connections, resources, a stop or a standby, the system, a deadlock, a delay. */
const passing = /^(08|53|57|58|40|25006|55P03|28)/

export function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : undefined
}

/** Of several addresses that were tried, the first says enough. */
function wordsOf(error: Error): string {
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error
  return (one instanceof Error ? one.message : String(one)).replace(/\.$/, '')
}

/** `name`: of the server, without secrets. */
export function told(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreRefused || error instanceof TypeError) return error
  const state = stateOf(error)
  if (state !== undefined && !passing.test(state)) return error
  return new StoreAway(`${name} cannot be used: ${wordsOf(error)}.`, { cause: error })
}
