/** `touchstone simulate`: the options; the simulator is loaded when it runs. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { wholeNumber } from '../values.ts'
import { withWorld, type WorldOptions } from './world-options.ts'

export interface SimulateOptions extends WorldOptions {
  port: number
  host: string
  json?: true
}

const examples = `
Examples:
  touchstone simulate
  touchstone simulate --port 0 --json
  touchstone simulate --clock frozen --scenario replies.yaml
  touchstone simulate --scenario expired-button
  touchstone simulate --allow-target 10.1.0.0/16 --allow-target receiver.test
  touchstone simulate --fault replay-unmarked --reading GAP-REPLAY-TOKENS=with-tokens

Ctrl-C ends it, with exit code 0.`

export function simulateCommand({ io, end }: Bench): Command {
  const command = new Command('simulate').description('stand in for a service that keeps the contract')
  return withWorld(command)
    .option('--port <port>', 'where it listens; 0 for any free port', wholeNumber(0, 65_535), 4010)
    .option('--host <host>', 'on which address', '127.0.0.1')
    .option('--json', 'print one line of JSON once it listens')
    .addHelpText('after', examples)
    .action(async (options: SimulateOptions) => {
      const { simulate } = await import('./simulate.ts')
      end(await simulate(options, io))
    })
}
