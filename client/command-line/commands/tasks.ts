/** `service-client tasks`: reads a task, once. */
import { Command } from 'commander'
import { connect, connected, type ConnectionOptions } from '../settings/connection.ts'
import type { CommandContext } from '../command-context.ts'
import { outcomeOfTask } from '../output/outcome.ts'
import { printRecord } from '../output/record.ts'

const help = `
Exit codes:
  0  it is completed
  1  it is failed or cancelled, or the service refused
  3  it is queued, running or in need of input`

export function tasksCommand({ io, end }: CommandContext): Command {
  return connected(
    new Command('tasks').description('read a task').argument('<task-id>', 'as a receipt has it'),
  )
    .addHelpText('after', help)
    .action(async (id: string, options: ConnectionOptions) => {
      const task = await connect(options, io).client.readTask(id, { signal: io.stopped })
      const { code, words } = outcomeOfTask(task)
      printRecord(task.body, options, io)
      io.err(`${words}\n`)
      end(code)
    })
}
