/** How every command comes to a service: the options that all of them have, and the client that follows. */
import type { Command } from 'commander'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { embeddedCatalogue } from '../../catalogue/operations.ts'
import type { Dialect, Partly } from '../../options/dialect.ts'
import { ServiceClient } from '../../service-client.ts'
import { catalogueIn, dialectIn, parseFilled } from './values.ts'
import { credentialFor, type Choice, type Credential } from './credential.ts'
import type { DiscreetIo } from '../output/write.ts'
import type { SavedProfile } from './profiles.ts'
import { chosenWith, withVendorOptions } from './vendor.ts'

export interface Files {
  catalogue?: string
  dialect?: string
}

export interface ConnectionOptions extends Choice, Files {
  confirm?: true
  json?: true
}

export interface ServiceConnection {
  client: ServiceClient
  credential: Credential
  catalogue: Catalogue
  dialect: Partly<Dialect>
}

/** Adds the options that all commands have which ask a service. */
export function connected(command: Command): Command {
  return addressed(command)
    .option('--profile <name>', 'use this saved profile; it wins over {apiKeyVariable}', parseFilled)
    .option('--confirm', 'acknowledge what a destructive command does; the owner still has to approve')
    .option('--json', 'print JSON, one line for each value')
}

/** Adds what says where the service is, and how it is spoken to. */
export function addressed(command: Command): Command {
  return withVendorOptions(command)
    .option(
      '--base-url <url>',
      'address of the service; it wins over {baseUrlVariable} and the profile',
      parseFilled,
    )
    .option('--allow-http', 'let http: be used beyond this machine, where the key can be read on its way')
    .option(
      '--catalogue <file>',
      'know the operations in this JSON file, not those of this package',
      parseFilled,
    )
    .option(
      '--dialect <file>',
      'what the service has otherwise where the contract shows nothing, as JSON or YAML',
      parseFilled,
    )
}

/** What a file says, else what the profile was saved with. Throws a UsageError. */
export const settingsFilesOf = ({ catalogue, dialect }: Files, saved: Partial<SavedProfile> = {}) => ({
  catalogue: catalogue === undefined ? (saved.catalogue ?? embeddedCatalogue) : catalogueIn(catalogue),
  dialect: dialect === undefined ? (saved.dialect ?? {}) : dialectIn(dialect),
})

/** Nothing is sent yet. Throws a UsageError. */
export function connect(options: ConnectionOptions, io: DiscreetIo): ServiceConnection {
  const credential = credentialFor(options, io)
  const { apiKey, baseUrl, saved } = credential
  const files = settingsFilesOf(options, saved)
  io.conceal(apiKey)
  const client = new ServiceClient({ apiKey, baseUrl, ...files, ...chosenWith(io.speech.choice, saved) })
  return { client, credential, ...files }
}
