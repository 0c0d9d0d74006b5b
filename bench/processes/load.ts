/** The load generator: one process per benchmark, so that it is warm for every side. */
import { startChild } from './child.ts'
import type { LoadOptions, LoadResult } from './load-child.ts'
import type { Started } from './auto-stop.ts'

export type { LoadOptions as Load } from './load-child.ts'

export interface Loader extends Started {
  /** Responses per second. Throws if one is not a 200. */
  rate(load: LoadOptions): Promise<number>
}

export async function startLoader(): Promise<Loader> {
  const { request: ask, stop } = await startChild('bench/processes/load-child.ts')
  return {
    stop,
    async rate(load) {
      const reply = (await ask(load)) as { loaded: LoadResult } | { threw: string }
      if ('threw' in reply) throw new Error(`load on port ${load.port}: ${reply.threw}`)
      return (1_000 * reply.loaded.responses) / reply.loaded.ms
    },
  }
}
