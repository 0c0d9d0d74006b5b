/** `touchstone plan`: the options. The implementation is loaded when it runs. */
import { Command } from 'commander'
import { withTarget } from '../check/command.ts'
import type { CommandContext } from '../command-context.ts'
import type { PlanOptions } from './plan.ts'

export function planCommand({ io }: CommandContext): Command {
  const command = new Command('plan').description(
    'list the checks of a run and its maximum cost, without sending requests',
  )
  return withTarget(command)
    .option('--json', 'print JSON')
    .option('--verbose', 'list each scenario with its checks and states')
    .action(async (target: string | undefined, options: PlanOptions) => {
      const { plan } = await import('./plan.ts')
      await plan(target, options, io)
    })
}
