/** `touchstone spec`: the options. The implementation is loaded when it runs. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { withVendor } from '../vendor.ts'
import type { SpecOptions } from './spec.ts'

const help = `
Writes openapi.yaml, openapi.json, asyncapi.yaml and asyncapi.json, each self-contained. With
--vendor, header names, constants, examples and descriptions contain the identifiers of the vendor.

Examples:
  touchstone spec --out api
  touchstone spec --vendor acme --out api

Exit codes:
  0  the four files are written
  2  wrong usage, a file of another origin exists, or the folder cannot be written`

export function specCommand({ io, end }: CommandContext): Command {
  return withVendor(
    new Command('spec')
      .description('write the OpenAPI and AsyncAPI documents of the contract, each in one file')
      .option('--out <folder>', 'write the files to this folder', 'touchstone-spec')
      .option('--force', 'replace files that this command did not write, too'),
  )
    .addHelpText('after', help)
    .action(async (options: SpecOptions) => {
      const { spec } = await import('./spec.ts')
      end(spec(options, io))
    })
}
