/** `service-client billing`: the reads of what a project pays for. */
import { Command } from 'commander'
import { connect, connected, type ConnectionOptions } from '../settings/connection.ts'
import type { CommandContext } from '../command-context.ts'
import type { ServiceClient } from '../../service-client.ts'
import { printRecord } from '../output/record.ts'
import { parseWholeNumber } from '../settings/values.ts'

interface BillingOptions extends ConnectionOptions {
  limit?: number
}

type Read = (client: ServiceClient, signal: AbortSignal, limit?: number) => Promise<unknown>

const reads: Readonly<Record<string, { about: string; read: Read }>> = {
  subscription: {
    about: 'its status, and the plan',
    read: (client, signal) => client.getBillingSubscription({ signal }),
  },
  usage: { about: 'the credits that are left', read: (client, signal) => client.getBillingUsage({ signal }) },
  plans: { about: 'every plan there is', read: (client, signal) => client.listBillingPlans({ signal }) },
  invoices: {
    about: 'the invoices',
    read: (client, signal, limit) =>
      client.listBillingInvoices({ signal, ...(limit !== undefined && { limit }) }),
  },
}

export function billingCommand({ io }: CommandContext): Command {
  const billing = new Command('billing').description('read what the project pays for; needs billing_read')
  for (const [name, { about, read }] of Object.entries(reads)) {
    const command = connected(new Command(name).description(about))
    if (name === 'invoices') command.option('--limit <count>', 'no more than so many', parseWholeNumber(1))
    command.action(async (options: BillingOptions) => {
      const { client } = connect(options, io)
      printRecord(await read(client, io.stopped, options.limit), options, io)
    })
    billing.addCommand(command)
  }
  return billing.enablePositionalOptions()
}
