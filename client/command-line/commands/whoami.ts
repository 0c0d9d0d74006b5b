/** `service-client whoami`: which key is used, where it is from, and what it reaches. Never the key. */
import { Command } from 'commander'
import { defaultDialect } from '../../options/dialect.ts'
import { ServiceError, UnknownShape } from '../../errors.ts'
import type { ServiceClient } from '../../service-client.ts'
import { columns } from '../output/columns.ts'
import { connect, connected, type ConnectionOptions } from '../settings/connection.ts'
import type { Credential } from '../settings/credential.ts'
import type { CommandContext } from '../command-context.ts'

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
    io.out(
      columns([
        ['credential', sourceWords(source, io.speech.names.apiKeyVariable)],
        ['base URL', baseUrl],
        ['agents', agents === null ? notListed(listing) : `${agents}`],
        ['operations', `${found.length}`],
      ]),
    )
  })
}

const sourceWords = (source: Credential['source'], variable: string): string =>
  source.from === 'profile' ? `profile ${source.profile}` : `environment variable ${variable}`

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
