/** `touchstone replies record`: the options; the recorder is loaded when it runs. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { collectWhole, wholeNumber } from '../values.ts'
import { withVendor } from '../vendor.ts'
import type { RecordOptions } from './record.ts'

const help = `
The command sends --message itself, or with --listen is a proxy between your client and the service;
the client uses its address as the base URL and sends its own key.

API keys, email addresses, phone numbers, long numbers and the values of --redact are redacted.
The file has everything else of the conversation: read it before you share it.

Exit codes: 0 recorded; 2 wrong usage, or nothing recorded; 3 a turn was refused, and the turns before it are recorded.

Examples:
  touchstone replies record --base-url https://chat.example --agent AGENT --api-key env:CHAT_KEY \\
    --message 'Where is my order?' --message 'Thank you' --stream --out order.yaml
  touchstone replies record --base-url https://chat.example --listen 4030 --out order.yaml
  touchstone simulate --replies order.yaml`

export function recordCommand({ io, end }: CommandContext): Command {
  const command = new Command('record').description('record a conversation with a service as a reply file')
  return withVendor(command)
    .requiredOption('--base-url <url>', 'base URL of the service')
    .option('--agent <id>', 'agent to send the messages to')
    .option('--api-key <ref>', 'API key for the messages, as env:NAME or file:PATH')
    .option('--message <text>', 'message to send, all in one conversation (repeatable)', collectWhole)
    .option('--stream', 'request streams, to record tokens, tools and gates')
    .option(
      '--listen [port]',
      'record a client through a proxy until Ctrl-C; default: any free port',
      wholeNumber(0, 65_535),
    )
    .option('--timing', 'record delays, too')
    .option('--redact <text>', 'redact this, too: a text, env:NAME or file:PATH (repeatable)', collectWhole)
    .option('--out <file>', 'write the reply file here; default: stdout')
    .addHelpText('after', help)
    .action(async (options: RecordOptions) => {
      const { record } = await import('./record.ts')
      end(await record(options, io))
    })
}
