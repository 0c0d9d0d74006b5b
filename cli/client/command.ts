/** `touchstone client`: the options; what it does is loaded when it runs. */
import { Command, Option } from 'commander'
import { contractIdentifiers } from '../../spec/identifiers.ts'
import type { Bench } from '../bench.ts'
import { sinceOption } from '../diff/since-option.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import { signKeyOption } from '../seal/option.ts'
import { collect, collectWhole, positiveNumber, wholeNumber } from '../values.ts'
import { withVendor } from '../vendor.ts'
import type { ClientOptions } from './options.ts'

const help = `
The command is started anew for each act, and finds in its environment where to send it
(${contractIdentifiers.baseUrlVariable}, ${contractIdentifiers.apiKeyVariable}, TOUCHSTONE_AGENT; --vendor changes both names) and what (TOUCHSTONE_ACTION, TOUCHSTONE_TASK
and a variable for each member of the task, such as TOUCHSTONE_MESSAGE). In its words {base_url},
{api_key}, {agent}, {action}, {message} and so on stand for the same. No shell comes between.

Examples:
  touchstone client -- python app.py
  touchstone client --can chat,stream -- node app.mjs --url {base_url} --key {api_key}
  touchstone client --driver -- ./my-client
  touchstone client --vendor acme -- python app.py
  touchstone client --as command-line -- service-client
  touchstone client --interactive`

export function clientCommand({ io, end }: Bench): Command {
  const command = new Command('client')
    .description('judge a client, in any language, by what it sends to a simulator')
    .argument('[command...]', 'after --: the client, and its words')
    .addOption(
      new Option('--as <kind>', 'whose clauses it is held against')
        .choices(['client', 'library', 'command-line'])
        .default('client'),
    )
    .option('--can <actions>', 'what it can do, between commas (default: everything)', collect)
    .option(
      '--verb <name=words>',
      'what a command line calls `chat`, `execute`, `login` or `whoami` (repeatable)',
      collectWhole,
    )
    .option('--driver', 'start it once: it gets a JSON line for each act, and says when that is done')
    .option('--interactive', 'no command: a person does what is printed')
    .option('--name <text>', 'what the reports call it (default: the command, without secrets)')
    .option('--parallel <n>', 'so many acts at once', wholeNumber(1, 64), 4)
    .option('--policy <file>', 'failures that are known, and what is expected to be missing')
    .option(
      '--only <pattern>',
      'only these clauses, scenarios or checks; * stands for anything (repeatable)',
      collect,
    )
    .option('--seed <number>', 'repeat what was chosen at random', wholeNumber(0, 2 ** 31 - 1))
    .option('--max-requests <n>', 'cap on requests', wholeNumber(1))
    .option('--max-minutes <n>', 'cap on the time of the run', positiveNumber)
    .option('--out <folder>', 'where the reports go', 'touchstone-report')
    .option(...sinceOption)
    .option(...signKeyOption)
    .option('--verbose', 'print what the client prints on stderr')
    .option('--quiet', 'no progress, only the summary')
  return withVendor(command)
    .addHelpText('after', `${help}\n${exitCodeHelp}`)
    .action(async (words: readonly string[], options: ClientOptions) => {
      const { client } = await import('./client.ts')
      end(await client(words, options, io))
    })
}
