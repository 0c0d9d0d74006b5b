/** `touchstone simulate`: the options. The implementation is loaded when it runs. */
import { Command, Option } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { wholeNumber } from '../values.ts'
import { withTenantOptions } from './tenant-options.ts'
import type { SimulateOptions } from './simulate.ts'

const examples = `
Examples:
  touchstone simulate
  touchstone simulate --open
  touchstone simulate --port 0 --json
  touchstone simulate --clock frozen --replies replies.yaml
  touchstone simulate --situation expired-button
  touchstone simulate --store file:simulator.db
  touchstone simulate --snapshot snapshot.json
  touchstone simulate --allow-target 10.1.0.0/16 --allow-target receiver.test
  touchstone simulate --fault replay-unmarked --interpret GAP-REPLAY-TOKENS=with-tokens

Ctrl-C or SIGTERM stops the simulator with exit code 0: it accepts no new connections and finishes
work in flight. A second one stops it at once.`

/** Options that a snapshot contains, and those of another start. */
const decidedBySnapshot = [
  'store',
  'seed',
  'situation',
  'replies',
  'clock',
  'legacy',
  'vendor',
  'identifier',
  'fault',
  'variant',
  'interpret',
]

export function simulateCommand({ io, end }: CommandContext): Command {
  const command = new Command('simulate').description('start a simulator of the service')
  return withTenantOptions(command)
    .option('--port <port>', 'listen on this port; 0 for any free port', wholeNumber(0, 65_535), 4010)
    .option('--host <host>', 'listen on this address', '127.0.0.1')
    .option(
      '--drain <seconds>',
      'wait this long for work in flight before stopping',
      wholeNumber(0, 3_600),
      10,
    )
    .option('--store <file:PATH>', 'keep state in a file, for one process at a time (default: memory)')
    .addOption(
      new Option(
        '--snapshot <file>',
        'start from a downloaded snapshot, with its seed, clock and reply rules',
      ).conflicts(decidedBySnapshot),
    )
    .option('--open', 'open the console in a browser')
    .option('--no-console', 'do not serve the console under /_sim/')
    .option('--json', 'print one line of JSON when it listens')
    .addHelpText('after', examples)
    .action(async (options: SimulateOptions) => {
      const { simulate } = await import('./simulate.ts')
      end(await simulate(options, io))
    })
}
