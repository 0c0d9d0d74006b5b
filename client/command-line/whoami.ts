/** `service-client whoami`: which key is used, where it is from, and what it reaches. Never the key. */
import { Command } from 'commander'
import { ServiceError } from '../errors.ts'
import type { ServiceClient } from '../service-client.ts'
import { columns } from './columns.ts'
import { connect, connected, type ConnectionOptions } from './connection.ts'
import type { Credential } from './credential.ts'
import type { Desk } from './desk.ts'

/** The operation that lists agents; the contract names none for it. */
const listing = 'agents.list'

const notListed = `not known: ${listing}, which needs the scope read_agents, is not open to this key`

/** Refusals of a key that may do other things. */
const refusals = [400, 403, 404]

export function whoamiCommand({ io }: Desk): Command {
  return connected(
    new Command('whoami').description('show which credential is used, and count what it reaches'),
  ).action(async (options: ConnectionOptions) => {
    const { client, credential, catalogue } = connect(options, io)
    const found = await client.discoverOperations({ signal: io.stopped })
    const mayList = found.some(({ id }) => id === listing) && Object.hasOwn(catalogue.operations, listing)
    const agents = mayList ? await agentsOf(client, io.stopped) : null
    const { baseUrl, source } = credential
    if (options.json)
      return io.out(`${JSON.stringify({ credential: source, baseUrl, agents, operations: found.length })}\n`)
    io.out(
      columns([
        ['credential', sourceWords(source)],
        ['base URL', baseUrl],
        ['agents', agents === null ? notListed : `${agents}`],
        ['operations', `${found.length}`],
      ]),
    )
  })
}

const sourceWords = (source: Credential['source']): string =>
  source.from === 'profile' ? `profile ${source.profile}` : 'environment variable SERVICE_API_KEY'

/** How many agents the key reaches; null where it may not list them, or the list is in no known place. */
async function agentsOf(client: ServiceClient, signal: AbortSignal): Promise<number | null> {
  try {
    const receipt = await client.executeOperation(listing, {}, { signal })
    return receipt.status === 'completed' ? lengthOf(receipt.data) : null
  } catch (error) {
    if (error instanceof ServiceError && refusals.includes(error.status)) return null
    throw error
  }
}

function lengthOf(data: unknown): number | null {
  const list = typeof data === 'object' && data !== null && 'agents' in data ? data.agents : data
  return Array.isArray(list) ? list.length : null
}
