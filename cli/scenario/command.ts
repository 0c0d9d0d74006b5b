/** `touchstone scenario`: situations by name, and files of what agents answer. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { recordCommand } from './record-command.ts'

export function scenarioCommand(bench: Bench): Command {
  const command = new Command('scenario').description(
    'list situations of the simulator; record a conversation as one, or check a file',
  )
  for (const one of [listCommand(bench), recordCommand(bench), checkCommand(bench)]) command.addCommand(one)
  return command
}

function listCommand({ io }: Bench): Command {
  return new Command('list')
    .description('print the situations that `touchstone simulate --scenario NAME` brings about')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const { list } = await import('./list.ts')
      list(options, io)
    })
}

function checkCommand({ io, end }: Bench): Command {
  return new Command('check')
    .description('say, line by line, what is wrong with a scenario file')
    .argument('<file>', 'YAML or JSON')
    .action(async (file: string) => {
      const { check } = await import('./check.ts')
      end(check(file, io))
    })
}
