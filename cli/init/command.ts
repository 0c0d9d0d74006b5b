/** `touchstone init`: the options. The implementation is loaded when it runs. */
import { Command, Option } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { InitOptions } from './answers.ts'

const examples = `
Without options, in a terminal, the command prompts for each value. Every value can be env:NAME.

If address, key and agent are set, the command announces and sends one turn and its replay to find
the vendor's word. With --vendor WORD it sends nothing.

Examples:
  touchstone init
  touchstone init staging.yaml --short
  touchstone init staging.yaml --base-url https://staging.example --api-key env:STAGING_KEY --agent agent_1`

export function initCommand({ io }: CommandContext): Command {
  return new Command('init')
    .description('write a target file with a comment for each key')
    .argument('[file]', 'the target file to write', 'touchstone.yaml')
    .option('--name <name>', 'set the name of the target in reports')
    .addOption(new Option('--kind <kind>', 'set the kind of the target').choices(['staging', 'production']))
    .option('--base-url <url>', 'set the base URL')
    .option('--api-key <ref>', 'set an API key, as env:NAME or file:PATH')
    .option('--agent <id>', 'set an agent that replies to any message')
    .option('--second-agent <id>', 'set another agent of the same account')
    .option('--paused-agent <id>', 'set an agent whose AI replies are paused')
    .option('--session <ref>', 'set the Cookie of a signed-in user, as env:NAME or file:PATH')
    .option('--receiver <where>', 'set where the target can deliver to: loopback, or an https URL')
    .option('--operation <id>', 'set an operation that only reads and accepts {} as its input')
    .option('--vendor <word>', 'set the word in X-WORD-Idempotent-Replay')
    .option('--short', 'write only the lines that a first run needs')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', examples)
    .action(async (file: string, options: InitOptions) => {
      const { init } = await import('./init.ts')
      await init(file, options, io)
    })
}
