/** `touchstone client`: the options; what it does is loaded when it runs. */
import { Command, Option } from 'commander'
import { contractIdentifiers } from '../../spec/identifiers.ts'
import type { CommandContext } from '../command-context.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import { withRunOptions } from '../run-options.ts'
import { collect, collectWhole, wholeNumber } from '../values.ts'
import type { ClientOptions } from './options.ts'

const help = `
The command is started once for each step, and finds in its environment where to send it
(${contractIdentifiers.baseUrlVariable}, ${contractIdentifiers.apiKeyVariable}, TOUCHSTONE_AGENT; --vendor changes both names) and what (TOUCHSTONE_ACTION, TOUCHSTONE_TASK
and a variable for each member of the task, such as TOUCHSTONE_MESSAGE). In its arguments {base_url},
{api_key}, {agent}, {action}, {message} and so on are replaced by the same. No shell is involved.

Examples:
  touchstone client -- python app.py
  touchstone client --can chat,stream -- node app.mjs --url {base_url} --key {api_key}
  touchstone client --driver -- ./my-client
  touchstone client --vendor acme -- python app.py
  touchstone client --as command-line -- service-client
  touchstone client --interactive`

export function clientCommand({ io, end }: CommandContext): Command {
  const command = new Command('client')
    .description('check a client, in any language, against a simulator')
    .argument('[command...]', 'after --: the client and its arguments')
    .addOption(
      new Option('--as <kind>', 'check the clauses for this kind of client')
        .choices(['client', 'library', 'command-line'])
        .default('client'),
    )
    .option('--can <actions>', 'test only these actions, separated by commas (default: all)', collect)
    .option(
      '--verb <name=words>',
      'set the arguments for `chat`, `execute`, `login` or `whoami` of a command line (repeatable)',
      collectWhole,
    )
    .option('--driver', 'start the client once, and send it a JSON line for each step')
    .option('--interactive', 'print each step for a person to perform, instead of running a command')
    .option('--name <text>', 'set the name in reports (default: the command, without secrets)')
    .option('--parallel <n>', 'run this many steps at once', wholeNumber(1, 64), 4)
    .option('--verbose', 'print the stderr of the client')
  return withRunOptions(command)
    .addHelpText('after', `${help}\n${exitCodeHelp}`)
    .action(async (words: readonly string[], options: ClientOptions) => {
      const { client } = await import('./client.ts')
      end(await client(words, options, io))
    })
}
