/** `touchstone replies`: record and check reply files. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { recordCommand } from './record-command.ts'

export function repliesCommand(bench: CommandContext): Command {
  const command = new Command('replies').description('record or check a reply file of the simulator')
  for (const one of [recordCommand(bench), checkCommand(bench)]) command.addCommand(one)
  return command
}

function checkCommand({ io, end }: CommandContext): Command {
  return new Command('check')
    .description('check a reply file and print every error with its line')
    .argument('<file>', 'YAML or JSON')
    .action(async (file: string) => {
      const { check } = await import('./check.ts')
      end(check(file, io))
    })
}
