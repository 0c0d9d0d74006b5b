/** The process that sends requests: one for a whole bench, so that it is warm for every side. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Load, Loaded } from './load-child.ts'

export type { Load } from './load-child.ts'

export interface Loader {
  /** Answers a second. Throws when one is not 200. */
  rate(load: Load): Promise<number>
  stop(): Promise<void>
}

export async function startLoader(): Promise<Loader> {
  const child = fork(new URL('./load-child.ts', import.meta.url))
  await once(child, 'message')
  return {
    async rate(load) {
      child.send(load)
      const [told] = (await once(child, 'message')) as [{ loaded: Loaded } | { threw: string }]
      if ('threw' in told) throw new Error(`load on port ${load.port}: ${told.threw}`)
      return (1_000 * told.loaded.answers) / told.loaded.took
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
