/** How every command comes to a service: the options that all of them have, and the client that follows. */
import type { Command } from 'commander'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { embeddedCatalogue } from '../catalogue/operations.ts'
import { ServiceClient } from '../service-client.ts'
import { catalogueIn } from './catalogue-file.ts'
import { credentialFor, type Choice, type Credential } from './credential.ts'
import type { DiscreetIo } from './discretion.ts'
import { filled } from './values.ts'

export interface ConnectionOptions extends Choice {
  catalogue?: string
  confirm?: true
  json?: true
}

export interface Connection {
  client: ServiceClient
  credential: Credential
  catalogue: Catalogue
}

/** Adds the options that all commands have which ask a service. */
export function connected(command: Command): Command {
  return addressed(command)
    .option('--profile <name>', 'use this saved profile; it wins over SERVICE_API_KEY', filled)
    .option('--catalogue <file>', 'know the operations in this JSON file, not those of this package', filled)
    .option('--confirm', 'acknowledge what a destructive command does; the owner still has to approve')
    .option('--json', 'print JSON, one line for each value')
}

/** Adds what says where the service is. */
export function addressed(command: Command): Command {
  return command
    .option(
      '--base-url <url>',
      'address of the service; it wins over SERVICE_BASE_URL and the profile',
      filled,
    )
    .option('--allow-http', 'let http: be used beyond this machine, where the key can be read on its way')
}

/** What operations are known by. Throws a UsageError. */
export const catalogueFor = ({ catalogue }: ConnectionOptions): Catalogue =>
  catalogue === undefined ? embeddedCatalogue : catalogueIn(catalogue)

/** Nothing is sent yet. Throws a UsageError. */
export function connect(options: ConnectionOptions, io: DiscreetIo): Connection {
  const catalogue = catalogueFor(options)
  const credential = credentialFor(options, io)
  const { apiKey, baseUrl } = credential
  io.conceal(apiKey)
  return { client: new ServiceClient({ apiKey, baseUrl, catalogue }), credential, catalogue }
}
