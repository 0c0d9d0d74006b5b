/** `touchstone verify`: whether what a run wrote is still what it wrote, and fits together. */
import { Command, Option } from 'commander'
import type { Bench } from '../bench.ts'
import type { VerifyOptions } from './verify.ts'

const help = `
Examples:
  touchstone verify touchstone-report
  touchstone verify touchstone-report --key touchstone-key.pub.pem --rejudge

Exit codes:
  0  all of it holds
  1  something does not hold: it was altered, or is no bundle of a run
  2  wrong usage
  3  what is there holds, and it is not all: the run was cut off, or another version judged it
  70 an error of Touchstone itself`

export function verifyCommand({ io, end }: Bench): Command {
  return new Command('verify')
    .description('check that what a run wrote was not altered, and that its answers follow from it')
    .argument('[folder]', 'what a check wrote', 'touchstone-report')
    .option('--key <file>', 'the public key (PEM) of whoever is said to have signed it')
    .option('--rejudge', 'also come to every verdict again, from the journal alone')
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', help)
    .action(async (folder: string, options: VerifyOptions) => {
      const { verify } = await import('./verify.ts')
      end(verify(folder, options, io))
    })
}
