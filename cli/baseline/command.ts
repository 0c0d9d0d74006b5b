/** `touchstone baseline`: the policy with which the gate lets a recorded run through. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
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

export function baselineCommand({ io }: Bench): Command {
  return new Command('baseline')
    .description('write the policy that lets a recorded run through its gate, for a target file')
    .argument('[run]', 'what a check wrote: the folder, or its run.json', 'touchstone-report')
    .option('--owner <name>', 'who answers for what fails')
    .option('--reason <text>', 'why it may fail until then')
    .option('--days <n>', `how long it may, at most ${mostDays}`, wholeNumber(1, mostDays), usualDays)
    .option('--out <file>', 'write to this file instead of stdout')
    .addHelpText('after', examples)
    .action(async (run: string, options: BaselineOptions) => {
      const { baseline } = await import('./baseline.ts')
      baseline(run, options, io)
    })
}
