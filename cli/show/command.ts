/** `touchstone show`: the options. The implementation is loaded when it runs. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { wholeNumber } from '../values.ts'
import type { ShowCommandOptions } from './show.ts'

const help = `
Examples:
  touchstone show
  touchstone show touchstone-report --since touchstone-report.previous
  touchstone show runs/
  touchstone show touchstone-report --key release.pub.pem --no-open

The page reads only the folders named here, and nothing is written. Its address has a token: without
it no program and no other page can read the runs. Ctrl-C stops the server.

Exit codes:
  0  stopped
  2  wrong usage, or no run in a folder
  70 error of Touchstone`

export function showCommand({ io, end }: CommandContext): Command {
  return new Command('show')
    .description('browse recorded runs in a page of this machine')
    .argument('[folder...]', 'run bundles, or folders with run bundles directly inside', [
      'touchstone-report',
    ])
    .option('--since <folder>', 'compare with this earlier run')
    .option('--key <file>', 'verify signatures with this public key (PEM)')
    .option(
      '--port <port>',
      'listen on this port of 127.0.0.1; 0 for any free port',
      wholeNumber(0, 65_535),
      0,
    )
    .option('--open', 'open the page in a browser (default: at a terminal)')
    .option('--no-open', 'do not open a browser')
    .option('--json', 'print one line of JSON when it listens')
    .addHelpText('after', help)
    .action(async (folders: readonly string[], options: ShowCommandOptions) => {
      const { show } = await import('./show.ts')
      end(await show(folders, options, io))
    })
}
