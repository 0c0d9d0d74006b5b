/** `touchstone verify`: whether what a run wrote is still what it wrote, and fits together. */
import { Command, Option } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { VerifyOptions } from './verify.ts'

const help = `
Examples:
  touchstone verify touchstone-report
  touchstone verify touchstone-report --key touchstone-key.pub.pem --rejudge
  touchstone verify touchstone-statement --key touchstone-key.pub.pem

Exit codes:
  0  verified
  1  not verified: the bundle was altered, or is no run bundle
  2  wrong usage
  3  verified in part: the run was interrupted, or another version judged it
  70 error of Touchstone`

export function verifyCommand({ io, end }: CommandContext): Command {
  return new Command('verify')
    .description('verify that a run bundle is unaltered and that its results follow from its journal')
    .argument('[folder]', 'run bundle, or what `certify` wrote', 'touchstone-report')
    .option('--key <file>', 'verify the signature with this public key (PEM)')
    .option('--rejudge', 'judge the journal again and compare every verdict')
    .addOption(
      new Option('--format <format>', 'print in this format').choices(['text', 'json']).default('text'),
    )
    .addOption(new Option('--json', 'print JSON; the same as --format json').implies({ format: 'json' }))
    .addHelpText('after', help)
    .action(async (folder: string, options: VerifyOptions) => {
      const { verify } = await import('./verify.ts')
      end(verify(folder, options, io))
    })
}
