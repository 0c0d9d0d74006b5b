/** `touchstone gate`: whether a version may be released, from signed statements alone. */
import { Command, InvalidArgumentError } from 'commander'
import { newestRevision } from '../../spec/clause-sets/index.ts'
import type { CommandContext } from '../command-context.ts'
import { collectWhole } from '../values.ts'
import { headOption } from '../run-log/options.ts'
import { serviceKinds } from './service-kinds.ts'
import type { GateOptions } from './gate.ts'

const help = `
The newest run of the target and version that a given key signed decides. Exit codes:
  0  it passed
  1  nonconformant: a MUST clause failed (with --accept gate: the gate of the run failed)
  2  wrong usage, or a source that is no list of statements
  3  no run that counts, or one that is partial, too old or dated in the future;
     with --log: a log that is not verified or lacks the run, or a later run that did not finish
  4  the registry or the head cannot be loaded
  5  with --accept gate: stale or expired policy entry
  70 error of Touchstone

Examples:
  touchstone gate --target acme --version 4.2.1 --from runs --key release.pub.pem
  touchstone gate --target acme --version 4.2.1 --from https://results.example/acme --key ci.pub.pem --max-age 2d`

export function gateCommand({ io, end }: CommandContext): Command {
  const command = new Command('gate')
  return command
    .description('decide from signed statements of runs whether a version may be released')
    .requiredOption('--target <name>', 'name of the target, as in its target file')
    .requiredOption('--version <version>', 'version of the target, as in its target file')
    .addOption(
      command
        .createOption('--kind <kind>', 'kind of the target; default: the newest run of either decides')
        .choices(serviceKinds),
    )
    .requiredOption('--from <place>', 'folder or URL of statements (repeatable)', collectWhole)
    .requiredOption('--key <file>', 'public key (PEM) of an allowed signer (repeatable)', collectWhole)
    .option(
      '--log <path>',
      'log of runs, or folder of such logs: it has to have the run, and no later one that failed or did not finish',
    )
    .option(...headOption)
    .addOption(
      command
        .createOption('--max-age <time>', 'greatest age of the run, such as 36h or 14d')
        .argParser(duration)
        .default(duration('14d'), '14d'),
    )
    .option(
      '--clause-set <set>',
      'least clause set: a name, or the file of one that is not published',
      newestRevision,
    )
    .addOption(
      command
        .createOption('--accept <answer>', 'what has to be true of the run: conformant, or its gate passed')
        .choices(['conformant', 'gate'])
        .default('conformant'),
    )
    .option('--allow-partial', 'accept a partial run, such as one of the smoke profile')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (options: GateOptions) => {
      const { gate } = await import('./gate.ts')
      end(await gate(options, io))
    })
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds. */
function duration(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const factor = units[unit]
  if (number !== undefined && factor !== undefined) return Number(number) * factor
  throw new InvalidArgumentError('Give a number of minutes, hours or days, such as 90m, 36h or 14d.')
}
