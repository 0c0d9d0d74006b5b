/** `touchstone spec`: the OpenAPI and AsyncAPI documents, under a vendor's own word. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { withVendor } from '../vendor.ts'
import type { SpecOptions } from './spec.ts'

const help = `
Writes openapi.yaml, openapi.json, asyncapi.yaml and asyncapi.json, each complete in itself: without --vendor with the
identifiers as the contract writes them, with it with those of the service, in header names, constants, examples and
descriptions.

Examples:
  touchstone spec --out api
  touchstone spec --vendor acme --out api

Exit codes:
  0  the four files are written
  2  wrong usage, a file that touchstone spec did not write is in the way, or the folder cannot be written`

export function specCommand({ io, end }: Bench): Command {
  return withVendor(
    new Command('spec')
      .description('write the OpenAPI and AsyncAPI documents of the contract, each in one file')
      .option('--out <folder>', 'where the files go; made where it is missing', 'touchstone-spec')
      .option('--force', 'replace files that this command did not write, too'),
  )
    .addHelpText('after', help)
    .action(async (options: SpecOptions) => {
      const { spec } = await import('./spec.ts')
      end(spec(options, io))
    })
}
