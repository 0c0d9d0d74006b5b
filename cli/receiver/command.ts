/** `touchstone receiver`: the options; what it does is loaded when it runs. */
import { Command } from 'commander'
import { sinceOption } from '../diff/since-option.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import type { CommandContext } from '../command-context.ts'
import { signKeyOption } from '../seal/option.ts'
import { collect, positiveNumber, wholeNumber } from '../values.ts'
import { withVendor } from '../vendor.ts'
import type { ReceiverOptions } from './options.ts'

const examples = `
Examples:
  touchstone receiver http://localhost:3000/webhooks --secret env:WEBHOOK_SECRET --vendor acme
  touchstone receiver https://staging.example/hooks --secret file:secret.txt --header Authorization=env:AUTH
  touchstone receiver http://localhost:3000/webhooks --secret env:WEBHOOK_SECRET --effects 'http://localhost:3000/effects/{id}'`

export function receiverCommand({ io, end }: CommandContext): Command {
  const command = new Command('receiver')
    .description('check a webhook receiver with valid, forged and duplicate deliveries')
    .argument('<url>', 'URL of the receiver')
    .requiredOption('--secret <ref>', 'sign with this webhook secret, as env:NAME or file:PATH')
    .option('--events <names>', 'send these events, separated by commas (default: leads.submit)', collect)
    .option('--agent <id>', 'send deliveries of this agent')
    .option(
      '--effects <url>',
      'read the number of times that delivery {id} was processed with a GET of this URL',
    )
    .option('--header <name=ref>', 'add a header, with the value as env:NAME or file:PATH (repeatable)', each)
    .option('--policy <file>', 'use this policy of known failures and expected missing results')
    .option(
      '--only <pattern>',
      'run only these clauses, scenarios or checks; * matches anything (repeatable)',
      collect,
    )
    .option('--seed <number>', 'repeat the random choices of a run', wholeNumber(0, 2 ** 31 - 1))
    .option('--max-requests <n>', 'limit the requests', wholeNumber(1))
    .option('--max-minutes <n>', 'limit the duration', positiveNumber)
    .option('--out <folder>', 'write the reports to this folder', 'touchstone-report')
    .option(...sinceOption)
    .option(...signKeyOption)
    .option('--quiet', 'print the summary only, without progress')
  return withVendor(command)
    .addHelpText('after', `${examples}\n${exitCodeHelp}`)
    .action(async (url: string, options: ReceiverOptions) => {
      const { receiver } = await import('./receiver.ts')
      end(await receiver(url, options, io))
    })
}

/** For an option that may be given several times; a comma is part of its value. */
function each(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}
