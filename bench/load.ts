/** The process that sends requests: one for a whole bench, so that it is warm for every side. */
import { startChild } from './child.ts'
import type { Load, Loaded } from './load-child.ts'
import type { Started } from './stopping.ts'

export type { Load } from './load-child.ts'

export interface Loader extends Started {
  /** Answers a second. Throws when one is not 200. */
  rate(load: Load): Promise<number>
}

export async function startLoader(): Promise<Loader> {
  const { ask, stop } = await startChild('bench/load-child.ts')
  return {
    stop,
    async rate(load) {
      const told = (await ask(load)) as { loaded: Loaded } | { threw: string }
      if ('threw' in told) throw new Error(`load on port ${load.port}: ${told.threw}`)
      return (1_000 * told.loaded.answers) / told.loaded.took
    },
  }
}
