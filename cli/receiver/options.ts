/** Options of `touchstone receiver`. */
import type { RunOptions } from '../run-options.ts'

export interface ReceiverOptions extends RunOptions {
  secret: string
  events?: readonly string[]
  agent?: string
  effects?: string
  header?: readonly string[]
}
