/** `touchstone replay`: whether a failure is still there, from the file of its counterexample. */
import { Command } from 'commander'
import { collect, wholeNumber } from '../values.ts'
import type { Bench } from '../bench.ts'
import type { ReplayOptions } from './replay.ts'

const help = `
Says one of
  FIXED         the check passes now
  FAILS         it fails still; with what was expected, what came, and how often
  CANNOT JUDGE  with the reason, and what would help

Examples:
  touchstone replay touchstone-report/counterexamples/*/scenario.json --base-url simulator
  touchstone replay scenario.json --base-url https://staging.example --key env:STAGING_KEY --agent agent_1
  touchstone replay scenario.json --target touchstone.yaml --times 10

Exit codes:
  0  fixed
  1  fails
  2  wrong usage, or a file that cannot be replayed
  3  cannot be judged
  4  the target cannot be reached
  70 an error of Touchstone itself`

export function replayCommand({ io, end }: Bench): Command {
  return new Command('replay')
    .description('tell a counterexample again, with fresh keys, against any target')
    .argument('<file...>', 'scenario.json of a counterexample')
    .option('--base-url <url>', 'where to: an address, or `simulator`')
    .option('--target <file>', 'a target file (YAML), for what needs more than a key and an agent')
    .option('--key <ref>', 'API key, as env:NAME or file:PATH')
    .option('--agent <id>', 'an agent that the key may call')
    .option('--times <n>', 'how often; of requests at once 5, else once', wholeNumber(1, 1_000))
    .option('--opt-in <what>', 'allow slow, costly or destructive checks, or writes (repeatable)', collect)
    .option('--allow-exec', 'allow the programs that the target file names for its states')
    .option('--fault <name>', 'of the simulator: a deliberate defect (repeatable)', collect)
    .option('--variant <name>', 'of the simulator: a conforming oddity (repeatable)', collect)
    .option('--reading <gap=reading>', 'of the simulator: how an open question is read (repeatable)', collect)
    .addHelpText('after', help)
    .action(async (files: readonly string[], options: ReplayOptions) => {
      const { replayFiles } = await import('./replay.ts')
      end(await replayFiles(files, options, io))
    })
}
