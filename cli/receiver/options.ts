/** Options of `touchstone receiver`. */
import type { RunCommandOptions } from '../run-options.ts'

export interface ReceiverOptions extends RunCommandOptions {
  secret?: string
  events?: readonly string[]
  agent?: string
  effects?: string
  header?: readonly string[]
}
