/** `service-client execute`, `tasks` and `approvals`. */
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { type Outcome, outcomeOfApproval, outcomeOfTask, seeThrough } from '../output/see-through.ts'
import { type CommandContext, type DiscreetIo, printRecord } from '../output/write.ts'
import { type ConnectionOptions, connect, connected } from '../settings/connection.ts'
import { jsonValue, parseFilled, parseWholeNumber, CommandUsageError } from '../settings/values.ts'
import type { Receipt } from '../../operations/receipt.ts'
import type { ServiceClient } from '../../service-client.ts'
import { Command } from 'commander'

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

interface FollowUp<R> {
  command: Command
  exitCodes: string
  read: (client: ServiceClient, id: string, options: { signal: AbortSignal }) => Promise<R>
  outcomeOf: (record: R, program: string) => Outcome
}

const followUp = <R extends { body: unknown }>(
  { io, end }: CommandContext,
  { command, exitCodes, read, outcomeOf }: FollowUp<R>,
): Command =>
  connected(command)
    .addHelpText('after', `\nExit codes:\n${exitCodes}`)
    .action(async (id: string, options: ConnectionOptions) => {
      const record = await read(connect(options, io).client, id, { signal: io.stopped })
      const { code, words } = outcomeOf(record, io.speech.program)
      printRecord(record.body, options, io)
      io.err(`${words}\n`)
      end(code)
    })

export const tasksCommand = (context: CommandContext): Command =>
  followUp(context, {
    command: new Command('tasks').description('read a task').argument('<task-id>', 'as a receipt has it'),
    exitCodes: `  0  it is completed
  1  it is failed or cancelled, or the service refused
  3  it is queued, running or in need of input`,
    read: (client, id, options) => client.readTask(id, options),
    outcomeOf: outcomeOfTask,
  })

export const approvalsCommand = (context: CommandContext): Command =>
  followUp(context, {
    command: new Command('approvals')
      .description('read an approval')
      .argument('<approval-id>', 'as a receipt has it'),
    exitCodes: `  0  the work was done
  1  nothing came of it, or the service refused
  3  not finished: the owner has not decided, or the work continues`,
    read: (client, id, options) => client.readApproval(id, options),
    outcomeOf: outcomeOfApproval,
  })
