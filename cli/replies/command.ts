/** `touchstone replies check`: the options. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'

export function repliesCommand({ io, end }: CommandContext): Command {
  const command = new Command('replies').description('check a reply file of the simulator')
  command
    .command('check')
    .description('check a reply file and print every error with its line')
    .argument('<file>', 'YAML or JSON')
    .action(async (file: string) => {
      const { check } = await import('./check.ts')
      end(check(file, io))
    })
  return command
}
