/** `touchstone replay`: the options. The implementation is loaded when it runs. */
import { Command } from 'commander'
import { collect, wholeNumber } from '../values.ts'
import type { CommandContext } from '../command-context.ts'
import type { ReplayCommandOptions } from './replay.ts'

const help = `
Prints one of
  FIXED         the check passes now
  FAILS         the check still fails: expected and actual result, and how often
  CANNOT JUDGE  the reason, and what would help

Examples:
  touchstone replay touchstone-report/counterexamples/*/replay.json --base-url simulator
  touchstone replay replay.json --base-url https://staging.example --api-key env:STAGING_KEY --agent agent_1
  touchstone replay replay.json --target touchstone.yaml --times 10

Exit codes:
  0  fixed
  1  fails
  2  wrong usage, or a file that cannot be replayed
  3  cannot be judged
  4  target unreachable
  70 error of Touchstone`

export function replayCommand({ io, end }: CommandContext): Command {
  return new Command('replay')
    .description('replay a recorded failure, with fresh keys, against any target')
    .argument('<file...>', 'replay.json of a counterexample')
    .option('--base-url <url>', 'send to this base URL, or to `simulator`')
    .option('--target <file>', 'use this target file (YAML), if a key and an agent are not enough')
    .option('--api-key <ref>', 'use this API key, as env:NAME or file:PATH')
    .option('--agent <id>', 'use this agent, which the key may call')
    .option(
      '--times <n>',
      'repeat this often (default: 5 for concurrent requests, else once)',
      wholeNumber(1, 1_000),
    )
    .option('--opt-in <what>', 'allow slow, costly or destructive checks, or writes (repeatable)', collect)
    .option('--allow-exec', 'run the programs that the target file names for its states')
    .option('--fault <name>', 'inject a deliberate defect into the simulator (repeatable)', collect)
    .option(
      '--variant <name>',
      'switch on an unusual, conforming behaviour of the simulator (repeatable)',
      collect,
    )
    .option(
      '--interpret <gap=interpretation>',
      'choose an interpretation of an unspecified point for the simulator (repeatable)',
      collect,
    )
    .addHelpText('after', help)
    .action(async (files: readonly string[], options: ReplayCommandOptions) => {
      const { replayFiles } = await import('./replay.ts')
      end(await replayFiles(files, options, io))
    })
}
