/** What passes between an embedded vitest and whoever started it: plain data, copied between threads. */
import type { Run } from '../record.ts'
import type { Target } from '../target/target.ts'

export interface Errand {
  target: Target
  options: {
    seed: number
    only?: readonly string[]
    version?: string
    runId?: string
    allowExec?: boolean
  }
  /** Name of the channel over which the reply comes. */
  channel: string
}

export type Reply = { run: Run } | { refused: string }

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: Errand
  }
}
