/** `touchstone report`: the reports of a recorded run again, in any format. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { collect } from '../values.ts'
import type { ReportOptions } from './report.ts'

const examples = `
Examples:
  touchstone report
  touchstone report touchstone-report --format markdown
  touchstone report touchstone-report --format junit,ctrf --out reports/
  touchstone report touchstone-report --format ./slack.mjs
  touchstone report touchstone-report --sign-key file:release.pem

Formats: json, junit, ctrf, har, markdown, html, text, annotations, or a file of your own (.mjs, .js or .ts)
whose default export is an Exporter, as \`touchstone/reports\` has the type.

Exit codes:
  0  the reports are made, whatever the run said
  2  wrong usage, or no run to make a report of
  70 an error of Touchstone itself`

export function reportCommand({ io, end }: Bench): Command {
  return new Command('report')
    .description('make the reports of a recorded run again, in any format')
    .argument('[folder]', 'what a check wrote', 'touchstone-report')
    .option(
      '--format <name>',
      'a format, or a file with one of your own (repeatable); default: the summary',
      collect,
    )
    .option('--out <place>', 'a file, or a folder; without --format all reports are written there')
    .option('--since <folder>', 'tell what changed since this earlier run')
    .option(
      '--sign-key <ref>',
      'sign the folder of the run itself, with the Ed25519 key in env:NAME or file:PATH',
    )
    .addHelpText('after', examples)
    .action(async (folder: string, options: ReportOptions) => {
      const { report } = await import('./report.ts')
      end(await report(folder, options, io))
    })
}
