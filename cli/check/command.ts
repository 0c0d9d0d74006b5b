/** `touchstone check`: the options; what it does is loaded when it runs. */
import { Command, Option } from 'commander'
import { withModifications } from '../modifications.ts'
import { sinceOption } from '../diff/since-option.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import type { Bench } from '../bench.ts'
import { signKeyOption } from '../seal/option.ts'
import { collect, positiveNumber, wholeNumber } from '../values.ts'
import { withVendor } from '../vendor.ts'
import type { CheckOptions } from './options.ts'

const examples = `
Examples:
  touchstone check simulator
  touchstone check touchstone.yaml --profile smoke --max-credits 50
  touchstone check --base-url https://staging.example --api-key env:STAGING_KEY --agent agent_1
  touchstone check simulator --only 'IDEM-*' --fault replay-unmarked`

export function checkCommand({ io, end }: Bench): Command {
  const command = new Command('check').description('judge a target by the contract')
  return withTarget(command)
    .option('--out <folder>', 'where the reports go', 'touchstone-report')
    .addOption(
      new Option('--runner <runner>', 'what runs the suite').choices(['engine', 'vitest']).default('engine'),
    )
    .option(...sinceOption)
    .option(...signKeyOption)
    .option(
      '--disclose-webhook-secrets',
      'leave in the secrets of webhooks that the run makes and removes, so that others can check signatures',
    )
    .option('--quiet', 'no progress, only the summary')
    .addHelpText('after', `${examples}\n${exitCodeHelp}`)
    .action(async (target: string | undefined, options: CheckOptions) => {
      const { check } = await import('./check.ts')
      end(await check(target, options, io))
    })
}

/** What says which target is meant, and how much may be asked of it. */
export function withTarget(command: Command): Command {
  command
    .argument('[target]', '`simulator`, or a target file (YAML)')
    .option('--base-url <url>', 'a target without a file: its base address')
    .option('--api-key <ref>', 'its API key, as env:NAME or file:PATH')
    .option('--agent <id>', 'an agent that the key may call')
    .option('--policy <file>', 'a policy in place of the one of the target; see `touchstone baseline`')
    .option(
      '--only <pattern>',
      'only these areas, clauses, scenarios or checks; * stands for anything (repeatable)',
      collect,
    )
    .addOption(
      new Option('--profile <profile>', 'how much is checked').choices(['smoke', 'standard', 'exhaustive']),
    )
    .option('--seed <number>', 'repeat what was chosen at random', wholeNumber(0, 2 ** 31 - 1))
    .option('--max-requests <n>', 'cap on requests', wholeNumber(1))
    .option('--max-turns <n>', 'cap on billable turns', wholeNumber(0))
    .option('--max-credits <n>', 'cap on credits, as the answers report them', positiveNumber)
    .option('--max-minutes <n>', 'cap on the time of the run', positiveNumber)
    .option('--opt-in <what>', 'allow slow, costly or destructive checks, or writes (repeatable)', collect)
    .option('--read-only', 'send no write, no webhook and no destructive request, whatever the target allows')
    .option('--legacy', 'the older chat variant of the simulator, too; decides nothing')
    .option('--allow-exec', 'allow the programs that the target file names for its states')
  return withModifications(withVendor(command))
}
