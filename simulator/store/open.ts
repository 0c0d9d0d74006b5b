/** Opens the store that a URL names. */
import type { Store } from './store.ts'

type Open = (url: string) => Promise<Store>

const postgres: Open = async (url) => (await import('./postgres.ts')).openPostgresStore(url)

/** By what stands before the colon. Each is loaded when it is asked for. */
const kinds: Readonly<Record<string, Open>> = {
  memory: async () => (await import('./memory.ts')).createMemoryStore(),
  file: async (url) => (await import('./file.ts')).openFileStore(pathIn(url)),
  postgres,
  postgresql: postgres,
}

/**
 * `memory:`, `file:PATH`, `postgres://USER@HOST:PORT/DATABASE`. Throws a RangeError on anything else, StoreRefused where
 * it cannot be opened so, and StoreAway where it cannot be opened now.
 */
export async function openStore(url: string): Promise<Store> {
  const open = kinds[/^([a-z]+):/.exec(url)?.[1] ?? '']
  if (open) return await open(url)
  // Whatever it is, there may be a password in it.
  throw new RangeError(
    'there is no such store: give memory:, file:PATH or postgres://USER@HOST:PORT/DATABASE',
  )
}

function pathIn(url: string): string {
  const path = url.slice('file:'.length)
  if (path !== '') return path
  throw new RangeError('file: needs a path after it: give file:PATH')
}
