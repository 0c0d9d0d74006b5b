/** `touchstone approvals`, `touchstone approve` and `touchstone reject` */
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { UsageError } from '../usage-error.ts'
import { controlCommand } from './control-command.ts'
import { alignedRows, namedItem } from './named.ts'

export function listApprovalsCommand(context: CommandContext): Command {
  return controlCommand(
    {
      name: 'approvals',
      description: 'list the operations that wait for the owner, or were decided',
      run:
        () =>
        async ({ tenant }) => {
          const approvals = await tenant.approvals()
          const rows = approvals.map(({ id, operation, state, askedAt }) => [askedAt, id, operation, state])
          return { text: rows.length === 0 ? 'no approvals' : alignedRows(rows), json: { approvals } }
        },
    },
    context,
  )
}

const decisions = { approve: 'approved', reject: 'rejected' } as const

export function decisionCommands(context: CommandContext): readonly Command[] {
  return (['approve', 'reject'] as const).map((name) =>
    controlCommand(
      {
        name,
        description: `${name} an operation as the owner`,
        argument: ['[approval]', 'id of the approval (default: the only pending one)'],
        run:
          ([word]) =>
          async ({ tenant }) => {
            const approvals = await tenant.approvals()
            const { id } =
              word === undefined
                ? onlyPending(approvals)
                : namedItem('approval', word, approvals, (one) => [one.id])
            const json = await tenant.decide(id, decisions[name])
            return { text: `${json.state} ${id} (${json.operation})`, json }
          },
      },
      context,
    ),
  )
}

function onlyPending<T extends { id: string; state: string }>(approvals: readonly T[]): T {
  const pending = approvals.filter(({ state }) => state === 'pending')
  const [only] = pending
  if (only && pending.length === 1) return only
  if (!only) throw new UsageError('no approval is pending.')
  throw new UsageError(
    `${pending.length} approvals are pending; name one of ${pending.map(({ id }) => id).join(', ')}.`,
  )
}
