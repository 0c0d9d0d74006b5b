/** `service-client approvals` and `service-client tasks`: reads once what a receipt led to. */
import { Command } from 'commander'
import type { ServiceClient } from '../../service-client.ts'
import { connect, connected, type ConnectionOptions } from '../settings/connection.ts'
import type { CommandContext } from '../command-context.ts'
import { outcomeOfApproval, outcomeOfTask, type Outcome } from '../output/outcome.ts'
import { printRecord } from '../output/record.ts'

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
