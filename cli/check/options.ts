/** Options of `touchstone check`. */
import type { ShardChoice } from '../../suites/runner/plan/plan.ts'
import type { ModificationOptions } from '../modifications.ts'
import type { ClauseSetOptions } from '../clause-sets/option.ts'
import type { VendorCommandOptions } from '../vendor.ts'

export interface TargetOptions extends ModificationOptions, VendorCommandOptions, ClauseSetOptions {
  baseUrl?: string
  apiKey?: string
  agent?: string
  only?: readonly string[]
  shard?: ShardChoice
  policy?: string
  profile?: 'smoke' | 'standard' | 'exhaustive'
  seed?: number
  maxRequests?: number
  maxTurns?: number
  maxCredits?: number
  maxMinutes?: number
  optIn?: readonly string[]
  readOnly?: true
  allowExec?: boolean
  /** The simulator serves the older chat variant, which is checked, too. */
  legacy?: true
}

export interface CheckOptions extends TargetOptions {
  out: string
  since?: string
  signKey?: string
  origin: boolean
  discloseWebhookSecrets?: true
  quiet?: true
  json?: true
  verbose?: true
}
