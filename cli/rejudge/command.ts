/** `touchstone rejudge`: the verdicts of a recorded run again, without a request. */
import { Command } from 'commander'
import { exitCodeHelp } from '../exit-codes.ts'
import type { Bench } from '../bench.ts'
import type { RejudgeOptions } from './rejudge.ts'

export function rejudgeCommand({ io, end }: Bench): Command {
  return new Command('rejudge')
    .description('judge a recorded run again, from its journal alone')
    .argument('[folder]', 'what a check wrote', 'touchstone-report')
    .option('--target <file>', 'take policy and dialect from this target file instead of those of the run')
    .option('--out <folder>', 'write all reports again, to this folder')
    .addHelpText('after', exitCodeHelp)
    .action(async (folder: string, options: RejudgeOptions) => {
      const { rejudgeFolder } = await import('./rejudge.ts')
      end(await rejudgeFolder(folder, options, io))
    })
}
