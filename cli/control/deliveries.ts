/** `touchstone deliveries` and `touchstone resend` */
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { UsageError } from '../usage-error.ts'
import { controlCommand } from './control-command.ts'
import { alignedRows, namedItem } from './named.ts'

export function deliveriesCommand(context: CommandContext): Command {
  return controlCommand<{ webhook?: string }>(
    {
      name: 'deliveries',
      description: 'list webhook deliveries with their last attempt',
      options: (command) => command.option('--webhook <id>', 'list only deliveries to this webhook'),
      run:
        (_words, { webhook }) =>
        async ({ tenant }) => {
          const deliveries = await tenant.deliveries(webhook)
          const rows = deliveries.map(({ id, webhookId, event, at, state, attempts }) => {
            const { number, reason } = attempts.at(-1) ?? {}
            return [
              at,
              id,
              event,
              webhookId,
              state,
              reason === undefined ? '' : `attempt ${number}: ${reason}`,
            ]
          })
          return { text: rows.length === 0 ? 'no deliveries' : alignedRows(rows), json: { deliveries } }
        },
    },
    context,
  )
}

export function resendCommand(context: CommandContext): Command {
  return controlCommand<{ duplicate?: true }>(
    {
      name: 'resend',
      description: 'send a webhook delivery again',
      argument: ['[delivery]', 'id of the delivery (default: the newest)'],
      options: (command) =>
        command.option('--duplicate', 'send it with the same id, as a duplicate that a receiver must ignore'),
      run:
        ([word], { duplicate: sameId = false }) =>
        async ({ tenant }) => {
          const all = (await tenant.deliveries()).toSorted((one, other) => one.at.localeCompare(other.at))
          const newest = all.at(-1)
          if (!newest)
            throw new UsageError('no delivery to send again: `touchstone trigger EVENT` makes one.')
          const { id, event } =
            word === undefined ? newest : namedItem('delivery', word, all, (one) => [one.id])
          const delivery = await tenant.again(id, { sameId })
          const how = sameId ? `${id} again, as a duplicate` : `${id} again, as ${delivery}`
          return { text: `sent ${event} ${how}`, json: { delivery, event, duplicateOf: sameId ? id : null } }
        },
    },
    context,
  )
}
