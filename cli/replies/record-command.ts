/** `touchstone replies record`: the options; what records is loaded when it runs. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { collectWhole, wholeNumber } from '../values.ts'
import { withVendor, type VendorOptions } from '../vendor.ts'

export interface RecordOptions extends VendorOptions {
  baseUrl: string
  agent?: string
  key?: string
  message?: readonly string[]
  stream?: true
  /** True: any free port. */
  listen?: number | true
  timing?: true
  redact?: readonly string[]
  out?: string
}

const help = `
Either the command speaks itself (--message), or it stands between a client of yours and the service (--listen);
the client then takes its address for the base URL, and sends its own key.

API keys, email addresses, phone numbers and long numbers are taken out, and so is what --redact names.
Everything else of the conversation stands in the file: read it before you pass it on.

Exit codes: 0 recorded; 2 wrong usage, or nothing to record; 3 a turn was refused, and those before it are kept.

Examples:
  touchstone replies record --base-url https://chat.example --agent AGENT --key env:CHAT_KEY \\
    --message 'Where is my order?' --message 'Thank you' --stream --out order.yaml
  touchstone replies record --base-url https://chat.example --listen 4030 --out order.yaml
  touchstone simulate --replies order.yaml`

export function recordCommand({ io, end }: Bench): Command {
  const command = new Command('record').description('make a reply file of a conversation with a service')
  return withVendor(command)
    .requiredOption('--base-url <url>', 'where the service is')
    .option('--agent <id>', 'whom the messages go to')
    .option('--key <ref>', 'the API key for them, as env:NAME or file:PATH')
    .option('--message <text>', 'a turn of one conversation (repeatable)', collectWhole)
    .option('--stream', 'ask for streams, so that tokens, tools and gates are seen')
    .option(
      '--listen [port]',
      'pass on what a client sends, until Ctrl-C; default: any free port',
      wholeNumber(0, 65_535),
    )
    .option('--timing', 'keep how long it took, too')
    .option('--redact <text>', 'take this out, too: a text, env:NAME or file:PATH (repeatable)', collectWhole)
    .option('--out <file>', 'where the reply file goes; default: stdout')
    .addHelpText('after', help)
    .action(async (options: RecordOptions) => {
      const { record } = await import('./record.ts')
      end(await record(options, io))
    })
}
