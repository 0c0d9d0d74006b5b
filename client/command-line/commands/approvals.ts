/** `service-client approvals`: reads what the owner decided, once. */
import { Command } from 'commander'
import { connect, connected, type ConnectionOptions } from '../settings/connection.ts'
import type { CommandContext } from '../command-context.ts'
import { outcomeOfApproval } from '../output/outcome.ts'
import { printRecord } from '../output/record.ts'

const help = `
Exit codes:
  0  the work was done
  1  nothing came of it, or the service refused
  3  not finished: the owner has not decided, or the work continues`

export function approvalsCommand({ io, end }: CommandContext): Command {
  return connected(
    new Command('approvals').description('read an approval').argument('<approval-id>', 'as a receipt has it'),
  )
    .addHelpText('after', help)
    .action(async (id: string, options: ConnectionOptions) => {
      const approval = await connect(options, io).client.readApproval(id, { signal: io.stopped })
      const { code, words } = outcomeOfApproval(approval, io.speech.program)
      printRecord(approval.body, options, io)
      io.err(`${words}\n`)
      end(code)
    })
}
