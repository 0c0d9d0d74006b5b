/** `service-client execute`: runs an operation, and sees it through. */
import { Command } from 'commander'
import { catalogueFor, connect, connected, type ConnectionOptions } from './connection.ts'
import type { Desk } from './desk.ts'
import type { DiscreetIo } from './discretion.ts'
import { follow } from './follow.ts'
import { jsonValue } from './json-value.ts'
import { printRecord } from './record.ts'
import { UsageError } from './usage-error.ts'
import { filled, wholeNumber } from './values.ts'

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

export function executeCommand({ io, end }: Desk): Command {
  return connected(
    new Command('execute')
      .description('run an operation, and wait for what comes of it')
      .argument('<operation>', 'its id, as `service-client operations` lists it')
      .option('--input <json>', 'one complete JSON value', '{}')
      .option(
        '--idempotency-key <key>',
        'names this piece of work; the same one when it is sent again',
        filled,
      )
      .option('--wait <seconds>', 'wait no longer for a task; without it, until it ends', wholeNumber(0)),
  )
    .addHelpText('after', help)
    .action(async (operation: string, options: ExecuteOptions) => end(await execute(operation, options, io)))
}

async function execute(operation: string, options: ExecuteOptions, io: DiscreetIo): Promise<number> {
  const { idempotencyKey, wait } = options
  const input = jsonValue('--input', options.input)
  checkCallable(operation, options)
  const { client } = connect(options, io)
  try {
    const signal = io.stopped
    const receipt = await client.executeOperation(operation, input, {
      signal,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    })
    const { record, code } = await follow(receipt, client, wait, io).catch((error: unknown) => {
      // What it leads to is named in it: without it nobody could go on from here.
      printRecord(receipt.body, options, io)
      throw error
    })
    printRecord(record, options, io)
    return code
  } finally {
    if (io.stopped.aborted)
      io.err('stopped: the work may go on. The same command with the same key tells what came of it.\n')
  }
}

/** What is settled here, before anything is sent: neither says that the service will let it be called. */
function checkCallable(id: string, options: ExecuteOptions): void {
  const { contract, operations } = catalogueFor(options)
  const operation = Object.hasOwn(operations, id) ? operations[id] : undefined
  if (!operation)
    throw new UsageError(
      `${id} is none of the ${Object.keys(operations).length} operations known here (contract ${contract}), and nothing was sent: install a newer service-client, or hand in another --catalogue.`,
    )
  if (operation.destructive && !options.confirm)
    throw new UsageError(
      `${id} takes away what does not come back, and nothing was sent: add --confirm if that is meant.`,
    )
}
