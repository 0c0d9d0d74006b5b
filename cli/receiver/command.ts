/** `touchstone receiver`: the options; what it does is loaded when it runs. */
import { Command } from 'commander'
import { exitCodeHelp } from '../exit-codes.ts'
import type { CommandContext } from '../command-context.ts'
import { withRunOptions } from '../run-options.ts'
import { collect } from '../values.ts'
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
    .option('--secret <ref>', 'sign with this webhook secret, as env:NAME or file:PATH (required)')
    .option('--events <names>', 'send these events, separated by commas (default: leads.submit)', collect)
    .option('--agent <id>', 'send deliveries of this agent')
    .option(
      '--effects <url>',
      'read the number of times that delivery {id} was processed with a GET of this URL',
    )
    .option('--verbose', 'list every observation, with its question')
    .option('--header <name=ref>', 'add a header, with the value as env:NAME or file:PATH (repeatable)', each)
  return withRunOptions(command)
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
