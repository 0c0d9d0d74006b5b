/** Options that `touchstone client` and `touchstone receiver` share. */
import type { Command } from 'commander'
import { originOption } from './check/origin.ts'
import { signKeyOption } from './seal/option.ts'
import { collect, positiveNumber, wholeNumber } from './values.ts'
import { withVendor, type VendorCommandOptions } from './vendor.ts'

/** Without the code that reads runs. */
export const sinceOption = [
  '--since <folder>',
  'report changes since this earlier run; see `touchstone diff`',
] as const

export interface RunCommandOptions extends VendorCommandOptions {
  policy?: string
  only?: readonly string[]
  seed?: number
  maxRequests?: number
  maxMinutes?: number
  out: string
  since?: string
  signKey?: string
  origin: boolean
  quiet?: true
  verbose?: true
}

export function withRunOptions(command: Command): Command {
  return withVendor(
    command
      .option('--policy <file>', 'use this policy of known failures and expected missing results')
      .option(
        '--only <pattern>',
        'run only these clauses, scenarios or checks; * matches anything (repeatable)',
        collect,
      )
      .option('--seed <number>', 'repeat the random choices of a run', wholeNumber(0, 2 ** 31 - 1))
      .option('--max-requests <n>', 'limit the requests', wholeNumber(1))
      .option('--max-minutes <n>', 'limit the duration', positiveNumber)
      .option('--out <folder>', 'write the reports to this folder', 'touchstone-report')
      .option(...sinceOption)
      .option(...signKeyOption)
      .option(...originOption)
      .option('--quiet', 'print the summary only, without progress'),
  )
}
