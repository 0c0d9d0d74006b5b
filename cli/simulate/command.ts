/** `touchstone simulate`: the options; the simulator is loaded when it runs. */
import { Command, Option } from 'commander'
import { withDeviations } from '../deviations.ts'
import type { DeviationOptions } from '../deviations.ts'
import type { Bench } from '../bench.ts'
import { collect, wholeNumber } from '../values.ts'
import { clockSetting } from './clock-setting.ts'
import type { ClockChoice } from './clock-setting.ts'

export interface SimulateOptions extends DeviationOptions {
  port: number
  host: string
  seed: string
  clock: ClockChoice
  scenario?: string
  legacy?: true
  allowTarget?: readonly string[]
  json?: true
  log?: true
  control: boolean
  controlToken?: string
}

const examples = `
Examples:
  touchstone simulate
  touchstone simulate --port 0 --json
  touchstone simulate --clock frozen --scenario replies.yaml
  touchstone simulate --allow-target 10.1.0.0/16 --allow-target receiver.test
  touchstone simulate --fault replay-unmarked --reading GAP-REPLAY-TOKENS=with-tokens

Ctrl-C ends it, with exit code 0.`

export function simulateCommand({ io, end }: Bench): Command {
  const command = new Command('simulate').description('stand in for a service that keeps the contract')
  return withDeviations(command)
    .option('--port <port>', 'where it listens; 0 for any free port', wholeNumber(0, 65_535), 4010)
    .option('--host <host>', 'on which address', '127.0.0.1')
    .option('--seed <text>', 'the same seed gives the same keys and ids', 'touchstone')
    .addOption(
      new Option('--clock <clock>', 'real, frozen, frozen:TIME, offset:MS or scaled:FACTOR')
        .argParser(clockSetting)
        .default({ mode: 'real' }, 'real'),
    )
    .option('--scenario <file>', 'what agents answer, as YAML or JSON')
    .option('--legacy', 'serve the older chat variant under /v1, too')
    .option(
      '--allow-target <target>',
      'let webhooks deliver to this host, address or network all the same (repeatable)',
      collect,
    )
    .option('--no-control', 'without the control plane under /_sim/v1')
    .option('--control-token <ref>', 'a token for the control plane, as env:NAME or file:PATH')
    .option('--log', 'print a line per request on stderr')
    .option('--json', 'print one line of JSON once it listens')
    .addHelpText('after', examples)
    .action(async (options: SimulateOptions) => {
      const { simulate } = await import('./simulate.ts')
      end(await simulate(options, io))
    })
}
