/** `touchstone check`: the options. The implementation is loaded when it runs. */
import { Command, Option } from 'commander'
import { withModifications } from '../modifications.ts'
import { sinceOption } from '../run-options.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import type { CommandContext } from '../command-context.ts'
import { clauseSetOption } from '../clause-sets/option.ts'
import { originOption } from './origin.ts'
import { signKeyOption } from '../seal/option.ts'
import { collect, positiveNumber, shard, wholeNumber } from '../values.ts'
import { withVendor } from '../vendor.ts'
import type { CheckOptions } from './options.ts'

const examples = `
Examples:
  touchstone check simulator
  touchstone check touchstone.yaml --profile smoke --max-credits 50
  touchstone check --base-url https://staging.example --api-key env:STAGING_KEY --agent agent_1
  touchstone check touchstone.yaml --shard 2/4 --out shard-2
  touchstone check simulator --only 'IDEM-*' --fault replay-unmarked`

export function checkCommand({ io, end }: CommandContext): Command {
  const command = new Command('check').description('check a server against the contract')
  return withTarget(command)
    .option('--out <folder>', 'write the reports to this folder', 'touchstone-report')
    .option(...clauseSetOption)
    .option(...sinceOption)
    .option(...signKeyOption)
    .option(...originOption)
    .option(
      '--disclose-webhook-secrets',
      'do not redact secrets of webhooks that the run creates and deletes, so that others can verify signatures',
    )
    .option('--quiet', 'print the summary only, without progress')
    .option('--json', 'print JSON')
    .option('--verbose', 'list every observation, with its question')
    .addHelpText('after', `${examples}\n${exitCodeHelp}`)
    .action(async (target: string | undefined, options: CheckOptions) => {
      const { runCheck: check } = await import('./check.ts')
      end(await check(target, options, io))
    })
}

export function withTarget(command: Command): Command {
  command
    .argument('[target]', '`simulator`, or a target file (YAML)')
    .option('--base-url <url>', 'use this base URL instead of a target file, with the smoke profile')
    .option('--api-key <ref>', 'use this API key, as env:NAME or file:PATH')
    .option('--agent <id>', 'use this agent, which the key may call')
    .option('--policy <file>', 'use this policy instead of that of the target; see `touchstone baseline`')
    .option(
      '--only <pattern>',
      'run only these areas, clauses, scenarios or checks; * matches anything (repeatable)',
      collect,
    )
    .option('--shard <n/of>', 'run one part of the plan, such as 2/4; see `touchstone merge`', shard)
    .addOption(
      new Option('--profile <profile>', 'run this part of the suite').choices([
        'smoke',
        'standard',
        'exhaustive',
      ]),
    )
    .option('--seed <number>', 'repeat the random choices of a run', wholeNumber(0, 2 ** 31 - 1))
    .option('--max-requests <n>', 'limit the requests', wholeNumber(1))
    .option('--max-turns <n>', 'limit the billable turns', wholeNumber(0))
    .option('--max-credits <n>', 'limit the credits, as responses report them', positiveNumber)
    .option('--max-minutes <n>', 'limit the duration', positiveNumber)
    .option('--opt-in <what>', 'allow slow, costly or destructive checks, or writes (repeatable)', collect)
    .option('--read-only', 'send no write, webhook or destructive request, whatever the target allows')
    .option('--legacy', 'check the older chat variant of the simulator, too; does not affect the result')
    .option('--allow-exec', 'run the programs that the target file names for its states')
  return withModifications(withVendor(command))
}
