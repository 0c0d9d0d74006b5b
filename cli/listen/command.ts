/** `touchstone listen`: the options; the receiver is loaded when it runs. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { wholeNumber } from '../values.ts'
import { withVendor } from '../vendor.ts'
import { answerList } from './answers.ts'
import { listenPort } from './port.ts'
import type { ListenOptions } from './listen.ts'

const help = `
Responses, one per request; the last one repeats:
  200, 404, 500 …  this status
  hang             none
  close            none; the connection is reset
  drip             200 at once, and a body that never ends
  slow:3s          200 after this time (ms, s)

Examples:
  touchstone listen
  touchstone listen --secret env:WEBHOOK_SECRET --answer 500,500,200
  touchstone listen --forward http://localhost:3000/hooks --record deliveries.ndjson

Deliveries go to stdout, messages to stderr. Ctrl-C prints a summary and ends with exit code 0.`

export function listenCommand({ io, end }: CommandContext): Command {
  const command = new Command('listen').description(
    'receive and check webhook deliveries, and respond as specified',
  )
  return withVendor(command)
    .option('--port <port>', 'listen on this port; 0 for any free port', wholeNumber(0, 65_535), listenPort)
    .option('--host <host>', 'listen on this address', '127.0.0.1')
    .option('--secret <ref>', 'verify signatures with this webhook secret, as env:NAME or file:PATH')
    .option('--answer <list>', 'respond with this, such as 500,500,200 or hang (default: 200)', answerList)
    .option('--forward <url>', 'forward each delivery to this URL, and return its response')
    .option('--record <file>', 'write requests and responses to this file as NDJSON, replacing it')
    .option('--json', 'print each delivery as a line of JSON')
    .addHelpText('after', help)
    .action(async (options: ListenOptions) => {
      const { listen } = await import('./listen.ts')
      end(await listen(options, io))
    })
}
