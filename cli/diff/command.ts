/** `touchstone diff`: what changed from one run to the next. */
import { Command, Option } from 'commander'
import type { Bench } from '../bench.ts'
import { formats } from './options.ts'
import type { DiffOptions } from './options.ts'

const help = `
Examples:
  touchstone diff last-release touchstone-report
  touchstone diff last-release touchstone-report --format markdown --out changes.md

Exit codes:
  0  nothing got worse
  1  something regressed, fails in another way, or is new and fails
  2  wrong usage, or two runs that cannot be compared
  3  nothing of that, but something is not judged any more
  70 an error of Touchstone itself`

export function diffCommand({ io, end }: Bench): Command {
  return new Command('diff')
    .description('say what changed from one run to the next')
    .argument('<earlier>', 'the folder of the earlier run')
    .argument('<later>', 'the folder of the later run')
    .addOption(new Option('--format <format>', 'the form of the answer').choices(formats).default('text'))
    .option('--out <file>', 'write the answer to this file, and the one line of it to the terminal')
    .addHelpText('after', help)
    .action(async (earlier: string, later: string, options: DiffOptions) => {
      const { diff } = await import('./diff.ts')
      end(diff(earlier, later, options, io))
    })
}
