/** `touchstone plan`: what a check would run, and the most it can cost. Asks the target nothing. */
import { Command } from 'commander'
import { withTarget } from '../check/command.ts'
import type { Bench } from '../bench.ts'
import type { PlanOptions } from './plan.ts'

export function planCommand({ io }: Bench): Command {
  const command = new Command('plan').description('print what a check would run, and the most it can cost')
  return withTarget(command)
    .option('--json', 'print JSON')
    .action(async (target: string | undefined, options: PlanOptions) => {
      const { plan } = await import('./plan.ts')
      await plan(target, options, io)
    })
}
