/** `touchstone show`: the options. The implementation is loaded when it runs. */
import { Command } from 'commander'
import type { CommandContext } from '../command.ts'
import { wholeNumber } from '../values.ts'
import type { ShowCommandOptions } from './show.ts'

const help = `
Examples:
  touchstone show
  touchstone show runs/2026-11-27 --no-open

Only this folder is read, and nothing is written. The address has a token: without it no other program
and no other page can read the run. Ctrl-C stops the server.

Exit codes:
  0  stopped
  2  wrong usage, or no run in the folder
  70 error of Touchstone`

export function showCommand({ io, end }: CommandContext): Command {
  return new Command('show')
    .description('browse a recorded run in a page of this machine')
    .argument('[folder]', 'the run bundle', 'touchstone-report')
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
    .action(async (folder: string, options: ShowCommandOptions) => {
      const { show } = await import('./show.ts')
      end(await show(folder, options, io))
    })
}
