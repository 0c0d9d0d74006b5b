/** `touchstone listen`: the options; the receiver is loaded when it runs. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { wholeNumber } from '../values.ts'
import { withVendor } from '../vendor.ts'
import { answerList } from './answers.ts'
import { listenPort } from './port.ts'
import type { ListenOptions } from './listen.ts'

const help = `
Answers, for one request after the other; the last one stays:
  200, 404, 500 …  this status
  hang             none, ever
  close            none, and the connection is reset
  drip             200 at once, and a body that never ends
  slow:3s          200 after so long (ms, s)

Examples:
  touchstone listen
  touchstone listen --secret env:WEBHOOK_SECRET --answer 500,500,200
  touchstone listen --forward http://localhost:3000/hooks --record deliveries.ndjson

Deliveries go to stdout, words to stderr. Ctrl-C prints a summary and ends it, with exit code 0.`

export function listenCommand({ io, end }: Bench): Command {
  const command = new Command('listen').description(
    'receive webhook deliveries, check them, and answer as you say',
  )
  return withVendor(command)
    .option('--port <port>', 'where it listens; 0 for any free port', wholeNumber(0, 65_535), listenPort)
    .option('--host <host>', 'on which address', '127.0.0.1')
    .option('--secret <ref>', 'the secret of the webhook, to check signatures: env:NAME or file:PATH')
    .option('--answer <list>', 'what is answered, such as 500,500,200 or hang (default: 200)', answerList)
    .option('--forward <url>', 'post each delivery on to this address, and answer with its answer')
    .option('--record <file>', 'write what came and what was answered as NDJSON, over what is there')
    .option('--json', 'print a line of JSON for each delivery')
    .addHelpText('after', help)
    .action(async (options: ListenOptions) => {
      const { listen } = await import('./listen.ts')
      end(await listen(options, io))
    })
}
