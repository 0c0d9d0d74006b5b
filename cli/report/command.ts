/** `touchstone report`: the reports of a recorded run again, in any format. */
import { Command } from 'commander'
import type { CommandContext } from '../command.ts'
import { collect } from '../values.ts'
import type { ReportOptions } from './report.ts'

const examples = (formats: readonly string[]): string => `
Examples:
  touchstone report
  touchstone report touchstone-report --format markdown
  touchstone report touchstone-report --format junit,ctrf --out reports/
  touchstone report touchstone-report --format ./slack.mjs
  touchstone report touchstone-report --sign-key file:release.pem
  touchstone report runs/* --format history --out history.html

Formats: ${formats.join(', ')}, history (a page over several runs), or a file of your own (.mjs, .js or .ts)
whose default export is an Exporter, as \`@touchstone-suite/touchstone/reports\` has the type.

Exit codes:
  0  the reports are written, whatever the result of the run
  2  wrong usage, or there is no run to report
  70 error of Touchstone`

export function reportCommand({ io, end, formats = [] }: CommandContext): Command {
  return new Command('report')
    .description('write reports of a recorded run, in any format')
    .argument('[folders...]', 'run bundle; with --format history, several', ['touchstone-report'])
    .option(
      '--format <name>',
      'use this format, or the one in this file (repeatable; default: the summary)',
      collect,
    )
    .option('--out <place>', 'write to this file or folder; without --format, write all reports')
    .option('--since <folder>', 'report changes since this earlier run')
    .option('--sign-key <ref>', 'sign the run bundle with the Ed25519 key in env:NAME or file:PATH')
    .addHelpText('after', examples(formats))
    .action(async (folders: readonly string[], options: ReportOptions) => {
      const { report, reportHistory } = await import('./report.ts')
      const isHistory = options.format?.includes('history') ?? false
      end(isHistory ? reportHistory(folders, options, io) : await report(folders, options, io))
    })
}
