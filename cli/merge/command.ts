/** `touchstone merge`: one report and one verdict of the shards of a run. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { sinceOption } from '../run-options.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import { signKeyOption } from '../seal/option.ts'
import type { MergeOptions } from './merge.ts'

export function mergeCommand({ io, end }: CommandContext): Command {
  return new Command('merge')
    .description('merge the shards of a run into one report with one verdict')
    .argument('<folders...>', 'run bundles that `touchstone check --shard` wrote, one for each shard')
    .option('--out <folder>', 'write the reports to this folder', 'touchstone-report')
    .option('--allow-missing', 'report the checks of missing shards as not tested')
    .option(...sinceOption)
    .option(...signKeyOption)
    .option('--json', 'print JSON')
    .option('--verbose', 'list every observation, with its question')
    .addHelpText('after', exitCodeHelp)
    .action(async (folders: readonly string[], options: MergeOptions) => {
      const { merge } = await import('./merge.ts')
      end(merge(folders, options, io))
    })
}
