/** Options of `touchstone receiver`. */
import type { VendorCommandOptions } from '../vendor.ts'

export interface ReceiverOptions extends VendorCommandOptions {
  secret: string
  events?: readonly string[]
  agent?: string
  effects?: string
  header?: readonly string[]
  policy?: string
  only?: readonly string[]
  seed?: number
  maxRequests?: number
  maxMinutes?: number
  out: string
  since?: string
  signKey?: string
  quiet?: true
}
