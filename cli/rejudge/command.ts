/** `touchstone rejudge`: the verdicts of a recorded run again, without a request. */
import { Command } from 'commander'
import { clauseSetOption } from '../clause-sets/option.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import type { CommandContext } from '../command-context.ts'
import type { RejudgeOptions } from './rejudge.ts'

export function rejudgeCommand({ io, end }: CommandContext): Command {
  return new Command('rejudge')
    .description('judge a recorded run again, from its journal alone')
    .argument('[folder]', 'run bundle', 'touchstone-report')
    .option('--target <file>', 'use policy and dialect of this target file instead of those of the run')
    .option(...clauseSetOption)
    .option('--out <folder>', 'write all reports to this folder')
    .addHelpText('after', exitCodeHelp)
    .action(async (folder: string, options: RejudgeOptions) => {
      const { rejudgeFolder } = await import('./rejudge.ts')
      end(await rejudgeFolder(folder, options, io))
    })
}
