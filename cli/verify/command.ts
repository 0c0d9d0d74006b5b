/** `touchstone verify`: whether what a run wrote is still what it wrote, and whether it allows a release. */
import { Command, Option } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { collectWhole } from '../values.ts'
import { UsageError } from '../usage-error.ts'
import type { VerifyOptions } from './verify.ts'

const help = `
With --require, the newest run below the folders that fits and that a given key signed decides. Requirements:
  target=NAME, version=VERSION  as in the target file
  signer=FILE         public key (PEM) of an allowed signer (repeatable)
  max-age=TIME        greatest age of the run, such as 36h (default: 14d)
  kind=KIND           staging or production (default: the newest run of either decides)
  clause-set=SET      least clause set: a name, or the file of one that is not published
  accept=ANSWER       conformant (default), or gate: the gate of the run passed
  partial=yes         accept a partial run, such as one of the smoke profile

Examples:
  touchstone verify touchstone-report
  touchstone verify touchstone-report --key touchstone-key.pub.pem --rejudge
  touchstone verify runs --require target=acme,version=4.2.1,signer=release.pub.pem,max-age=2d

Exit codes:
  0  verified; with --require: the version may be released
  1  not verified: the bundle was altered, or is no run bundle; with --require: a MUST clause failed
     (with accept=gate: the gate of the run failed)
  2  wrong usage
  3  verified in part: the run was interrupted, or another version judged it; with --require:
     no run that counts, or one that is partial, too old or dated in the future
  5  with accept=gate: stale or expired policy entry
  70 error of Touchstone`

type Options = VerifyOptions & { require?: readonly string[] }

export function verifyCommand({ io, end }: CommandContext): Command {
  return new Command('verify')
    .description('verify that a run bundle is unaltered, or that signed runs allow a release')
    .argument('[folders...]', 'run bundle, or what `certify` wrote; with --require: folders of them', [
      'touchstone-report',
    ])
    .option('--key <file>', 'verify the signature with this public key (PEM)')
    .option('--rejudge', 'judge the journal again and compare every verdict')
    .addOption(
      new Option('--require <requirements>', 'decide whether a version may be released (repeatable)')
        .argParser(collectWhole)
        .conflicts(['key', 'rejudge']),
    )
    .addOption(
      new Option('--format <format>', 'print in this format').choices(['text', 'json']).default('text'),
    )
    .addOption(new Option('--json', 'print JSON; the same as --format json').implies({ format: 'json' }))
    .addHelpText('after', help)
    .action(async (folders: readonly string[], { require: required, ...options }: Options) => {
      if (required !== undefined) {
        const { verifyRelease } = await import('./require.ts')
        end(verifyRelease(folders, required, { json: options.format === 'json' }, io))
        return
      }
      const [folder = '', ...more] = folders
      if (more.length > 0) throw new UsageError('several folders are verified with --require; name one.')
      const { verify } = await import('./verify.ts')
      end(verify(folder, options, io))
    })
}
