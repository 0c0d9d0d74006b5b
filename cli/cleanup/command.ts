/** `touchstone cleanup`: undoes what a run that was cut off left on its target. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import type { CleanupOptions } from './cleanup.ts'

const help = `
Example:
  touchstone cleanup touchstone-report --target touchstone.yaml

Exit codes:
  0  nothing is left
  2  wrong usage or configuration
  3  something is left, to be undone by hand`

export function cleanupCommand({ io, end }: Bench): Command {
  return new Command('cleanup')
    .description('undo what a run that was cut off left on its target')
    .argument('[folder]', 'where that run wrote to', 'touchstone-report')
    .requiredOption('--target <file>', 'the target file of that run')
    .option('--allow-exec', 'allow the programs that the target file names for its states')
    .addHelpText('after', help)
    .action(async (folder: string, options: CleanupOptions) => {
      const { undo } = await import('./cleanup.ts')
      end(await undo(folder, options, io))
    })
}
