/** Options of `touchstone client`. */
import type { RunCommandOptions } from '../run-options.ts'

export interface ClientOptions extends RunCommandOptions {
  as: 'client' | 'library' | 'command-line'
  can?: readonly string[]
  verb?: readonly string[]
  driver?: true
  interactive?: true
  name?: string
  parallel: number
  verbose?: true
}
