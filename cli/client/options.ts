/** Options of `touchstone client`. */
import type { VendorCommandOptions } from '../vendor.ts'

export interface ClientOptions extends VendorCommandOptions {
  as: 'client' | 'library' | 'command-line'
  can?: readonly string[]
  verb?: readonly string[]
  driver?: true
  interactive?: true
  name?: string
  parallel: number
  policy?: string
  only?: readonly string[]
  seed?: number
  maxRequests?: number
  maxMinutes?: number
  out: string
  since?: string
  signKey?: string
  verbose?: true
  quiet?: true
}
