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
  const kind = /^([a-z]+):/.exec(url)?.[1]
  const open = kinds[kind ?? '']
  if (open) return await open(url)
  // Whatever it is, there may be a password in the rest of it.
  const none = kind === undefined ? 'it begins like no store' : `there is no store of the kind ${kind}`
  throw new RangeError(`${none}: give file:PATH, postgres://USER@HOST:PORT/DATABASE or memory:`)
}

function pathIn(url: string): string {
  const path = url.slice('file:'.length)
  if (path !== '') return path
  throw new RangeError('file: needs a path after it: give file:PATH')
}
