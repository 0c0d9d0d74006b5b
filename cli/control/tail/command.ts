/** `touchstone tail`: the options. The implementation is loaded when it runs. */
import { Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { wholeNumber } from '../../values.ts'
import { withControl } from '../control-options.ts'
import type { TailOptions } from './tail.ts'

const help = `Each line has the number of the request, its time, method and path, the status, the idempotency key,
the outcome of a turn (run, replay …) or an error code, its credits, and how long the response took.

Examples:
  touchstone tail
  touchstone tail --path /api/v1/chat --status 4xx --bodies
  touchstone tail --no-follow --json

Ctrl-C ends it with exit code 0.`

export function tailCommand({ io, end }: CommandContext): Command {
  const command = new Command('tail')
    .description('print requests as they happen')
    .option('--no-follow', 'print the requests that the journal has, and end')
    .option('--since <number>', 'start after the request with this number', wholeNumber(0))
    .option('--path <path>', 'print only requests with a path that starts like this')
    .option('--status <status>', 'print only responses with this status, such as 409 or 4xx', statusPattern)
    .option('--bodies', 'print the bodies of requests and responses, too')
  return withControl(command, help).action(async (options: TailOptions) => {
    const { tail } = await import('./tail.ts')
    end(await tail(options, io))
  })
}

function statusPattern(text: string): string {
  if (/^[1-5](?:\d\d|xx)$/.test(text)) return text
  throw new InvalidArgumentError('Give a status such as 409 or 4xx.')
}
