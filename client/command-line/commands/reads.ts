/** `service-client whoami`, `operations` and `billing`: what a key reaches. */
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { embeddedCatalogue } from '../../catalogue/operations.ts'
import { type CommandContext, columns, printRecord } from '../output/write.ts'
import { type ConnectionOptions, connect, connected } from '../settings/connection.ts'
import { parseWholeNumber } from '../settings/values.ts'
import { ServiceError, UnknownShape } from '../../errors.ts'
import type { DiscoveredOperation } from '../../operations/operations.ts'
import { defaultDialect } from '../../options/dialect.ts'
import type { ServiceClient } from '../../service-client.ts'
import { Command } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }

const notListed = (listing: string): string =>
  `not known: ${listing}, which needs the scope read_agents, is not open to this key`

/** Refusals of a key that may do other things; 200 is an operation that did not come to its end. */
const refusals = [200, 400, 403, 404]

export function whoamiCommand({ io }: CommandContext): Command {
  return connected(
    new Command('whoami').description('show which credential is used, and count what it reaches'),
  ).action(async (options: ConnectionOptions) => {
    const { client, credential, catalogue, dialect } = connect(options, io)
    // The contract names no route and no operation for it.
    const listing = dialect.routes?.agents ?? defaultDialect.routes.agents
    const found = await client.discoverOperations({ signal: io.stopped })
    const isOffered = found.some(({ id }) => id === listing) && Object.hasOwn(catalogue.operations, listing)
    const mayList = listing.startsWith('/') || isOffered
    const agents = mayList ? await agentsOf(client, io.stopped) : null
    const { baseUrl, source } = credential
    if (options.json)
      return io.out(`${JSON.stringify({ credential: source, baseUrl, agents, operations: found.length })}\n`)
    const from =
      source.from === 'profile'
        ? `profile ${source.profile}`
        : `environment variable ${io.speech.names.apiKeyVariable}`
    io.out(
      columns([
        ['credential', from],
        ['base URL', baseUrl],
        ['agents', agents === null ? notListed(listing) : `${agents}`],
        ['operations', `${found.length}`],
      ]),
    )
  })
}

/** How many agents the key reaches; null where it may not list them, or the list is in no known place. */
async function agentsOf(client: ServiceClient, signal: AbortSignal): Promise<number | null> {
  try {
    return (await client.listAgents({ signal })).length
  } catch (error) {
    if (error instanceof UnknownShape) return null
    if (error instanceof ServiceError && refusals.includes(error.status)) return null
    throw error
  }
}

const help = `
What is listed is what the service lets this key call. One that is marked "not in this package" came later than the
package: it takes a newer service-client to call it. --json gives each as the service shows it, and "embedded" beside it.`

export function operationsCommand({ io }: CommandContext): Command {
  return connected(new Command('operations').description('list the operations that the key may call'))
    .addHelpText('after', help)
    .action(async (options: ConnectionOptions) => {
      const { client, catalogue } = connect(options, io)
      const found = await client.discoverOperations({ signal: io.stopped })
      const isEmbedded = (id: string): boolean => Object.hasOwn(catalogue.operations, id)
      const rows = found.map(({ id, body }) => ({ ...body, id, embedded: isEmbedded(id) }))
      if (options.json) io.out(`${JSON.stringify(rows)}\n`)
      else io.out(columns(found.map((one) => asRow(one, catalogue))))
      const unknown = found.filter(({ id }) => !isEmbedded(id)).length
      io.err(
        `${found.length} operations, ${unknown} of them not in this package (contract ${catalogue.contract}).\n`,
      )
    })
}

function asRow({ id, body }: DiscoveredOperation, { operations }: Catalogue): string[] {
  const own = Object.hasOwn(operations, id) ? operations[id] : undefined
  if (!own) return [id, 'not in this package', typeof body['title'] === 'string' ? body['title'] : '']
  const kind = own.destructive ? 'destructive' : own.write ? 'write' : 'read'
  return [id, kind, own.title]
}

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

export function versionWords(): string {
  const { contract, operations } = embeddedCatalogue
  return `${manifest.version}, contract ${contract} with ${Object.keys(operations).length} operations`
}
