/** `touchstone situations`: the situations of the simulator. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { entry, json } from './print.ts'

export function situationsCommand({ io }: Bench): Command {
  return new Command('situations')
    .description('list the situations of the simulator, for `simulate --situation NAME`')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const { situations } = await import('../../simulator/index.ts')
      const rows = Object.entries(situations).map(([name, { title, shows }]) => ({ name, title, shows }))
      if (options.json) return io.out(json(rows))
      io.out(
        rows
          .map(({ name, title, shows }) => entry(name, [`${title}.`, `Shows: ${shows}.`], io.width))
          .join(''),
      )
      io.err(`${rows.length} situations\n`)
    })
}
