/** `--store`: where state of tenants is stored. */
import { openStore } from '../../simulator/store/open.ts'
import { StoreRefused } from '../../simulator/store/refused.ts'
import { StoreAway, type Store } from '../../simulator/store/store.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { secret } from '../values.ts'

export interface StoreChoice {
  store?: string
  replicaAddress?: string
  /** Seconds. */
  lease?: number
}

/** Throws a UsageError if the store cannot be opened. */
export async function storeOf(reference: string, env: Io['env']): Promise<Store> {
  const url = reference.startsWith('env:') ? secret('--store', reference, env) : withoutPassword(reference)
  return asUsageError(() => openStore(url))
}

/** Throws a UsageError for a password, because other users can read a command line. */
function withoutPassword(url: string): string {
  const read = URL.canParse(url) ? new URL(url) : undefined
  if (!read?.password && !read?.searchParams.has('password')) return url
  throw new UsageError(
    '--store contains a password, and other users can read a command line: put the URL into a variable and give env:NAME.',
  )
}

/** Throws a UsageError if the store is unreachable or refuses. */
async function asUsageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreAway)
      throw new UsageError(
        `--store: ${error.message} Check that it runs, and that address, user and password are correct.`,
      )
    if (error instanceof RangeError || error instanceof StoreRefused)
      throw new UsageError(`--store: ${error.message}`)
    throw error
  }
}

/** Throws a UsageError for an address that other replicas cannot use. */
export function replicaAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url.origin
  throw new UsageError(
    `--replica-address ${address}: give a base URL over plain HTTP, such as http://10.0.0.7:4010.`,
  )
}
