/** `touchstone certify`: a statement of one or two pages about a verified run, with badges. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { collectWhole } from '../values.ts'
import type { CertifyOptions } from './certify.ts'

const help = `
Examples:
  touchstone certify touchstone-report --key release.pub.pem
  touchstone certify touchstone-report --key release.pub.pem --sign-key file:release.pem --out statement

Exit codes:
  0  the statement is written, whatever it states
  1  not verified: bundle or log was altered, or the key did not sign it
  2  wrong usage, or a run that no statement can be made of
  3  verified in part: the run was interrupted, or another version judged it
  70 error of Touchstone`

export function certifyCommand({ io, end }: CommandContext): Command {
  return new Command('certify')
    .description('write a statement of one or two pages about a verified run, to hand over')
    .argument('[folder]', 'run bundle, signed', 'touchstone-report')
    .requiredOption('--key <file>', 'verify the signature with this public key (PEM)')
    .option('--out <folder>', 'write to this folder', 'touchstone-statement')
    .option('--sign-key <ref>', 'write the in-toto test result, signed with the key in env:NAME or file:PATH')
    .option(
      '--log <path>',
      'state how often this version was run, from this log of `check --log` or folder of logs',
    )
    .option(
      '--log-key <file>',
      'public key (PEM) of a further signer of these logs (repeatable)',
      collectWhole,
    )
    .option('--timestamp <url>', 'have this time-stamp server (RFC 3161) date the signed result of the run')
    .option('--sigstore', 'sign the in-toto test result by Sigstore, as the identity of this CI job')
    .option('--fulcio <url>', 'certificate authority of Sigstore (default: the public one)')
    .option('--rekor <url>', 'transparency log of Sigstore (default: the public one)')
    .option('--allow-partial', 'state a partial run, as PARTIAL')
    .option('--browser <program>', 'print the PDF with this Chromium (default: one of the PATH)')
    .option('--no-pdf', 'do not print a PDF')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (folder: string, options: CertifyOptions) => {
      const { certify } = await import('./certify.ts')
      end(await certify(folder, options, io))
    })
}
