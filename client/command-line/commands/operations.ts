/** `service-client operations`: what the key may call, and whether this package knows it. */
import { Command } from 'commander'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { DiscoveredOperation } from '../../operations/operations.ts'
import { columns } from '../output/columns.ts'
import { connect, connected, type ConnectionOptions } from '../settings/connection.ts'
import type { CommandContext } from '../command-context.ts'

const help = `
What is listed is what the service lets this key call. One that is marked "not in this package" came later than the
package: it takes a newer service-client to call it. --json gives each as the service shows it, and "embedded" beside it.`

export function operationsCommand({ io }: CommandContext): Command {
  return connected(new Command('operations').description('list the operations that the key may call'))
    .addHelpText('after', help)
    .action(async (options: ConnectionOptions) => {
      const { client, catalogue } = connect(options, io)
      const found = await client.discoverOperations({ signal: io.stopped })
      if (options.json) io.out(`${JSON.stringify(found.map((one) => asJson(one, catalogue)))}\n`)
      else io.out(columns(found.map((one) => asRow(one, catalogue))))
      const unknown = found.filter(({ id }) => !isEmbedded(id, catalogue)).length
      io.err(
        `${found.length} operations, ${unknown} of them not in this package (contract ${catalogue.contract}).\n`,
      )
    })
}

const isEmbedded = (id: string, { operations }: Catalogue): boolean => Object.hasOwn(operations, id)

const asJson = ({ id, body }: DiscoveredOperation, catalogue: Catalogue): object => ({
  ...body,
  id,
  embedded: isEmbedded(id, catalogue),
})

function asRow({ id, body }: DiscoveredOperation, catalogue: Catalogue): string[] {
  const own = isEmbedded(id, catalogue) ? catalogue.operations[id] : undefined
  const title = own?.title ?? (typeof body['title'] === 'string' ? body['title'] : '')
  return [id, own ? kindOf(own) : 'not in this package', title]
}

const kindOf = ({ write, destructive }: Catalogue['operations'][string]): string =>
  destructive ? 'destructive' : write ? 'write' : 'read'
