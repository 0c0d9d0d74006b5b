/** `touchstone simulate`: the options; the simulator is loaded when it runs. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { wholeNumber } from '../values.ts'
import { withTenantState } from './tenant-options.ts'
import type { SimulateOptions } from './simulate.ts'

const examples = `
Examples:
  touchstone simulate
  touchstone simulate --port 0 --json
  touchstone simulate --clock frozen --replies replies.yaml
  touchstone simulate --situation expired-button
  touchstone simulate --store file:simulator.db
  DATABASE_URL=postgres://… touchstone simulate --store env:DATABASE_URL
  touchstone simulate --allow-target 10.1.0.0/16 --allow-target receiver.test
  touchstone simulate --fault replay-unmarked --reading GAP-REPLAY-TOKENS=with-tokens

Ctrl-C or SIGTERM ends it, with exit code 0: it takes no connection any more, and what is
under way gets its time. A second one ends it at once.`

export function simulateCommand({ io, end }: Bench): Command {
  const command = new Command('simulate').description('stand in for a service that keeps the contract')
  return withTenantState(command)
    .option('--port <port>', 'where it listens; 0 for any free port', wholeNumber(0, 65_535), 4010)
    .option('--host <host>', 'on which address', '127.0.0.1')
    .option(
      '--drain <seconds>',
      'how long what is under way may take once it is to end',
      wholeNumber(0, 3_600),
      10,
    )
    .option(
      '--store <url>',
      'keep what it knows: file:PATH or postgres://USER@HOST/DATABASE, or env:NAME of a variable with either (default: it ends with the process)',
    )
    .option(
      '--replica-address <url>',
      'where others at the same store reach this one, such as http://10.0.0.7:4010 (default: where it listens)',
    )
    .option(
      '--lease <seconds>',
      'how long after its last sign of life others at the same store take its tenants (default: 10)',
      wholeNumber(1, 3_600),
    )
    .option('--json', 'print one line of JSON once it listens')
    .addHelpText('after', examples)
    .action(async (options: SimulateOptions) => {
      const { simulate } = await import('./simulate.ts')
      end(await simulate(options, io))
    })
}
