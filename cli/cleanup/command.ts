/** `touchstone cleanup`: undoes what a run that was cut off left on its target. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { CleanupCommandOptions } from './cleanup.ts'

const help = `
Example:
  touchstone cleanup touchstone-report --target touchstone.yaml

Exit codes:
  0  nothing is left
  2  wrong usage or configuration
  3  something is left, to be deleted by hand`

export function cleanupCommand({ io, end }: CommandContext): Command {
  return new Command('cleanup')
    .description('delete what an interrupted run left on the target')
    .argument('[folder]', 'folder of the interrupted run', 'touchstone-report')
    .requiredOption('--target <file>', 'use the target file of that run')
    .option('--allow-exec', 'run the programs that the target file names for its states')
    .addHelpText('after', help)
    .action(async (folder: string, options: CleanupCommandOptions) => {
      const { undo } = await import('./cleanup.ts')
      end(await undo(folder, options, io))
    })
}
