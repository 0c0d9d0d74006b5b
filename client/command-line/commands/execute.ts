/** `service-client execute`: runs an operation, and sees it through. */
import { Command } from 'commander'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Receipt } from '../../operations/receipt.ts'
import { connect, connected, type ConnectionOptions } from '../settings/connection.ts'
import type { CommandContext } from '../command-context.ts'
import type { DiscreetIo } from '../output/discretion.ts'
import { jsonValue } from '../settings/json-value.ts'
import { seeThrough } from '../output/see-through.ts'
import { CommandUsageError } from '../usage-error.ts'
import { parseFilled, parseWholeNumber } from '../settings/values.ts'

interface ExecuteOptions extends ConnectionOptions {
  input: string
  idempotencyKey?: string
  wait?: number
}

const help = `
Examples:
  service-client execute notes.list
  service-client execute notes.create --input '{"text": "Call Ida back."}' --idempotency-key first-note
  service-client execute customers.erase --input '{"customerId": "cus_1001", "reason": "duplicate"}' \\
    --idempotency-key erase-1001 --confirm

The receipt goes to stdout, with the task or the approval that it led to beside it. An operation in this package is no
permission to run it: the service decides. --confirm acknowledges here what is destructive; the owner decides there.`

export function executeCommand({ io, end }: CommandContext): Command {
  return connected(
    new Command('execute')
      .description('run an operation, and wait for what comes of it')
      .argument('<operation>', 'its id, as `service-client operations` lists it')
      .option('--input <json>', 'one complete JSON value', '{}')
      .option(
        '--idempotency-key <key>',
        'names this piece of work; the same one when it is sent again',
        parseFilled,
      )
      .option(
        '--wait <seconds>',
        'wait no longer for a task; without it, until it ends',
        parseWholeNumber(0),
      ),
  )
    .addHelpText('after', help)
    .action(async (operation: string, options: ExecuteOptions) => end(await execute(operation, options, io)))
}

async function execute(operation: string, options: ExecuteOptions, io: DiscreetIo): Promise<number> {
  const { idempotencyKey } = options
  const input = jsonValue('--input', options.input)
  const { client, catalogue } = connect(options, io)
  checkCallable(operation, catalogue, options)
  const signal = io.stopped
  const send = (): Promise<Receipt> =>
    client.executeOperation(operation, input, {
      signal,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    })
  return seeThrough(send, client, options, io)
}

/** What is settled here, before anything is sent: neither says that the service will let it be called. */
function checkCallable(
  id: string,
  { contract, operations }: Catalogue,
  { confirm }: Pick<ExecuteOptions, 'confirm'>,
): void {
  const operation = Object.hasOwn(operations, id) ? operations[id] : undefined
  if (!operation)
    throw new CommandUsageError(
      `${id} is none of the ${Object.keys(operations).length} operations known here (contract ${contract}), and nothing was sent: install a newer service-client, or hand in another --catalogue.`,
    )
  if (operation.destructive && !confirm)
    throw new CommandUsageError(
      `${id} takes away what does not come back, and nothing was sent: add --confirm if that is meant.`,
    )
}
