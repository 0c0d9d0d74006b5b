/** `service-client upload`: a document or a spreadsheet, under the two keys that it is sent again with. */
import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { Command } from 'commander'
import type { Receipt } from '../../operations/receipt.ts'
import type { ServiceClient } from '../../service-client.ts'
import type { Upload } from '../../operations/uploads.ts'
import { connect, connected, type ConnectionOptions } from '../settings/connection.ts'
import type { CommandContext, DiscreetIo } from '../output/write.ts'
import { seeThrough } from '../output/see-through.ts'
import { errorCodeOf, CommandUsageError, parseFilled, parseWholeNumber } from '../settings/values.ts'

interface UploadOptions extends ConnectionOptions {
  prepareKey: string
  finalizeKey: string
  name?: string
  contentType?: string
  wait?: number
}

interface Kind {
  about: string
  send: (client: ServiceClient, file: Upload) => Promise<Receipt>
}

const kinds: Readonly<Record<string, Kind>> = {
  document: {
    about: 'upload a document; the owner may have to approve it first',
    send: (client, file) => client.uploadFileSource(file),
  },
  spreadsheet: {
    about: 'upload a CSV or Excel file; its import may take longer than the command',
    send: (client, file) => client.uploadStructuredDataFile(file),
  },
}

const help = `
Examples:
  service-client upload document faq.pdf --prepare-key faq-1-prepare --finalize-key faq-1-finalize
  service-client upload spreadsheet prices.csv --prepare-key prices-1 --finalize-key prices-2 --wait 60

Both are needed, also for a service that takes the file in one request. The same command with the same two keys
stores nothing twice, and goes on after an approval.`

export function uploadCommand({ io, end }: CommandContext): Command {
  const upload = new Command('upload').description('upload a file; needs knowledge.write')
  for (const [name, { about, send }] of Object.entries(kinds)) {
    const command = connected(
      new Command(name)
        .description(about)
        .argument('<file>', 'its path')
        .requiredOption('--prepare-key <key>', 'idempotency key of the first step', parseFilled)
        .requiredOption('--finalize-key <key>', 'idempotency key of the second step', parseFilled)
        .option(
          '--name <name>',
          'the name of the file for the service; default that of the path',
          parseFilled,
        )
        .option('--content-type <type>', 'its media type; default by the ending of its name', parseFilled)
        .option(
          '--wait <seconds>',
          'wait no longer for a task; without it, until it ends',
          parseWholeNumber(0),
        ),
    ).addHelpText('after', help)
    command.action(async (path: string, options: UploadOptions) => {
      const file = fileOf(path, options, io)
      const { client } = connect(options, io)
      end(await seeThrough(() => send(client, file), client, options, io))
    })
    upload.addCommand(command)
  }
  return upload.enablePositionalOptions()
}

function fileOf(path: string, options: UploadOptions, io: DiscreetIo): Upload {
  const { prepareKey, finalizeKey, name: fileName = basename(path) } = options
  const contentType = options.contentType ?? contentTypeOf(fileName)
  return { fileName, contentType, bytes: contents(path), prepareKey, finalizeKey, signal: io.stopped }
}

const contentTypes: Readonly<Record<string, string>> = {
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.csv': 'text/csv',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

function contentTypeOf(name: string): string {
  const found = contentTypes[extname(name).toLowerCase()]
  if (found !== undefined) return found
  throw new CommandUsageError(
    `the media type of ${name} does not follow from its name, and nothing was sent: give --content-type.`,
  )
}

function contents(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new CommandUsageError(`${path} cannot be read (${errorCodeOf(error)}), and nothing was sent.`)
  }
}
