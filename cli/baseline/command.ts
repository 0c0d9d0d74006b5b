/** `touchstone baseline`: the policy with which the gate lets a recorded run through. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { wholeNumber } from '../values.ts'
import type { BaselineOptions } from './baseline.ts'

/** As many as an entry may count. */
const mostDays = 180
const usualDays = 90

const examples = `
Examples:
  touchstone baseline --owner 'chat team' --reason 'being rewritten' --out baseline.yaml
  touchstone baseline nightly/run.json --days 30
  touchstone check simulator --policy baseline.yaml`

export function baselineCommand({ io }: CommandContext): Command {
  return new Command('baseline')
    .description('write a policy that accepts the failures of a recorded run')
    .argument('[run]', 'run bundle, or its run.json', 'touchstone-report')
    .option('--owner <name>', 'set who is responsible for the failures')
    .option('--reason <text>', 'set the reason why they are accepted')
    .option(
      '--days <n>',
      `set the days until the entries expire, at most ${mostDays}`,
      wholeNumber(1, mostDays),
      usualDays,
    )
    .option(
      '--include-inconclusive',
      'accept inconclusive checks as flaky; another run may give them a result',
    )
    .option('--out <file>', 'write to this file instead of stdout; comments of existing entries are kept')
    .addHelpText('after', examples)
    .action(async (run: string, options: BaselineOptions) => {
      const { baseline } = await import('./baseline.ts')
      baseline(run, options, io)
    })
}
