/** `touchstone situations` */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { listEntry, printedJson } from './print.ts'

export function situationsCommand({ io }: CommandContext): Command {
  return new Command('situations')
    .description('list the situations of the simulator, for --situation')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const { situations } = await import('../../simulator/index.ts')
      const rows = Object.entries(situations).map(([name, { title, shows }]) => ({ name, title, shows }))
      if (options.json) return io.out(printedJson(rows))
      io.out(
        rows
          .map(({ name, title, shows }) => listEntry(name, [`${title}.`, `Shows: ${shows}.`], io.width))
          .join(''),
      )
      io.err(`${rows.length} situations\n`)
    })
}
