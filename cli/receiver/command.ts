/** `touchstone receiver`: the options; what it does is loaded when it runs. */
import { Command } from 'commander'
import { sinceOption } from '../diff/since-option.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import type { Bench } from '../bench.ts'
import { signKeyOption } from '../seal/option.ts'
import { collect, positiveNumber, wholeNumber } from '../values.ts'
import { withVendor } from '../vendor.ts'
import type { ReceiverOptions } from './options.ts'

const examples = `
Examples:
  touchstone receiver http://localhost:3000/webhooks --secret env:WEBHOOK_SECRET --vendor acme
  touchstone receiver https://staging.example/hooks --secret file:secret.txt --header Authorization=env:AUTH
  touchstone receiver http://localhost:3000/webhooks --secret env:WEBHOOK_SECRET --effects 'http://localhost:3000/effects/{id}'`

export function receiverCommand({ io, end }: Bench): Command {
  const command = new Command('receiver')
    .description('judge a webhook receiver: genuine, forged and repeated deliveries')
    .argument('<url>', 'where deliveries are posted to')
    .requiredOption('--secret <ref>', 'the secret of the webhook, as env:NAME or file:PATH')
    .option('--events <names>', 'events that it takes, between commas (default: leads.submit)', collect)
    .option('--agent <id>', 'the agent that deliveries speak of')
    .option(
      '--effects <url>',
      'with {id} in it: a GET answers how often the delivery with this id was processed, as a number',
    )
    .option('--header <name=ref>', 'a further header, its value as env:NAME or file:PATH (repeatable)', each)
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
    .option('--quiet', 'no progress, only the summary')
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
