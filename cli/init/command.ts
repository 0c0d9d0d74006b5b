/** `touchstone init`: a target file to begin with. */
import { Command, Option } from 'commander'
import type { Bench } from '../bench.ts'
import type { InitOptions } from './options.ts'

const examples = `
Without options it asks, in a terminal. Every value but the key may be given as env:NAME too.

If address, key and agent are set, it sends one turn and its replay to find the vendor's word, and
prints so before. --vendor WORD states it, and nothing is sent.

Examples:
  touchstone init
  touchstone init staging.yaml --base-url https://staging.example --api-key env:STAGING_KEY --agent agent_1`

export function initCommand({ io }: Bench): Command {
  return new Command('init')
    .description('write a target file with a comment for each key')
    .argument('[file]', 'where it goes', 'touchstone.yaml')
    .option('--name <name>', 'how reports call the target')
    .addOption(new Option('--kind <kind>', 'what it is').choices(['staging', 'production']))
    .option('--base-url <url>', 'its base address')
    .option('--api-key <ref>', 'an API key, as env:NAME or file:PATH')
    .option('--agent <id>', 'an agent that answers any message')
    .option('--second-agent <id>', 'another agent of the same account')
    .option('--paused-agent <id>', 'an agent whose AI replies are paused')
    .option('--session <ref>', 'the Cookie of a signed-in user, as env:NAME or file:PATH')
    .option('--receiver <where>', 'where it can deliver to: loopback, or an https address')
    .option('--operation <id>', 'an operation that only reads and takes {} as its input')
    .option(
      '--vendor <word>',
      'the word in X-WORD-Idempotent-Replay; without it, one turn is sent to find it',
    )
    .option('--force', 'write over a file that is there')
    .addHelpText('after', examples)
    .action(async (file: string, options: InitOptions) => {
      const { init } = await import('./init.ts')
      await init(file, options, io)
    })
}
