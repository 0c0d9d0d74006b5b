/** `touchstone diff`: what changed from one run to the next. */
import { Command, Option } from 'commander'
import type { CommandContext } from '../command.ts'
import type { DiffOptions } from './diff.ts'

const formats = ['text', 'markdown', 'html', 'json'] as const satisfies readonly DiffOptions['format'][]

const help = `
Examples:
  touchstone diff last-release touchstone-report
  touchstone diff last-release touchstone-report --format markdown --out changes.md

Exit codes:
  0  nothing got worse
  1  a check regressed, fails in another way, or is new and fails;
     a warning counts as a failure
  2  wrong usage, or the runs are not comparable
  3  none of these, but a check has no result any more
  70 error of Touchstone`

export function diffCommand({ io, end }: CommandContext): Command {
  return new Command('diff')
    .description('compare two runs')
    .argument('<earlier>', 'folder of the earlier run')
    .argument('<later>', 'folder of the later run')
    .addOption(new Option('--format <format>', 'print in this format').choices(formats).default('text'))
    .addOption(new Option('--json', 'print JSON; the same as --format json').implies({ format: 'json' }))
    .option('--out <file>', 'write to this file, and print only the summary line')
    .addHelpText('after', help)
    .action(async (earlier: string, later: string, options: DiffOptions) => {
      const { diff } = await import('./diff.ts')
      end(diff(earlier, later, options, io))
    })
}
