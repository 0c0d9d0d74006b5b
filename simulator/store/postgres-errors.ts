/** What went wrong with PostgreSQL: what may be over in a while is distinguished from what stays wrong. */
import { StoreRefused } from './refused.ts'
import { StoreAway } from './store.ts'

/** SQLSTATEs of a server that cannot now: connections, resources, a stop or a standby, the system, a deadlock, a delay. */
const passing = /^(08|53|57|58|40|25006|55P03|28)/

export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : undefined
}

/** Of several addresses that were tried, the first says enough. */
function wordsOf(error: Error): string {
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error
  const words = one instanceof Error ? one.message : String(one)
  // What the driver says of itself.
  if (words.includes('client password must be')) return 'it asks for a password, and there is none'
  return words.replace(/\.$/, '')
}

/** By SQLSTATE: what to do about what stays wrong. */
const advice: Readonly<Record<string, string>> = {
  '3D000': '; create it, or name another',
  '42501': '; docs/durable.md says which rights its user needs',
}

/** The server is there, and says that it will not do: no such database, no right to make tables. `name`: of the server, without secrets. */
export function refusedByPostgres(error: unknown, name: string): StoreRefused {
  const words = error instanceof Error ? wordsOf(error) : String(error)
  const help = advice[sqlStateOf(error) ?? ''] ?? ''
  return new StoreRefused(`${name} cannot hold a store: ${words}${help}.`, { cause: error })
}

/** `name`: of the server, without secrets. */
export function asStoreError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreRefused || error instanceof TypeError) return error
  const state = sqlStateOf(error)
  if (state !== undefined && !passing.test(state)) return error
  return new StoreAway(`${name} cannot be used: ${wordsOf(error)}.`, { cause: error })
}
