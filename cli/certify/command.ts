/** `touchstone certify`: a statement of one page about a verified run. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { CertifyOptions } from './certify.ts'

const help = `
Examples:
  touchstone certify touchstone-report --key release.pub.pem
  touchstone certify touchstone-report --key release.pub.pem --sign-key file:release.pem --out statement

Exit codes:
  0  the statement is written, whatever it states
  1  not verified: the bundle was altered, or the key did not sign it
  2  wrong usage, or a run that no statement can be made of
  3  verified in part: the run was interrupted, or another version judged it
  70 error of Touchstone`

export function certifyCommand({ io, end }: CommandContext): Command {
  return new Command('certify')
    .description('write a statement of one page about a verified run, to hand over')
    .argument('[folder]', 'run bundle, signed', 'touchstone-report')
    .requiredOption('--key <file>', 'verify the signature with this public key (PEM)')
    .option('--out <folder>', 'write to this folder', 'touchstone-statement')
    .option('--sign-key <ref>', 'write the in-toto test result, signed with the key in env:NAME or file:PATH')
    .option('--allow-partial', 'state a partial run, as PARTIAL')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (folder: string, options: CertifyOptions) => {
      const { certify } = await import('./certify.ts')
      end(certify(folder, options, io))
    })
}
