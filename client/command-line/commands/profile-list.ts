/** `service-client profiles`: what is saved, without the keys. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { looseness, profilesIn, profilesPath } from '../settings/profiles.ts'
import { columns } from '../output/columns.ts'
import { withVendorOptions } from '../settings/vendor.ts'

export function profilesCommand({ io }: CommandContext): Command {
  return withVendorOptions(new Command('profiles'))
    .description('list the saved profiles with their addresses')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: true }) => {
      const rows = [...profilesIn(io)].map(([name, { baseUrl, vendor }]) => ({
        name,
        baseUrl,
        ...(vendor !== undefined && { vendor }),
      }))
      if (json) io.out(`${JSON.stringify(rows)}\n`)
      else io.out(columns(rows.map(({ name, baseUrl, vendor = '' }) => [name, baseUrl, vendor])))
      const loose = looseness(io)
      if (loose !== null) io.err(`warning: ${loose}.\n`)
      if (rows.length === 0) io.err(`No profile is saved in ${profilesPath(io)}.\n`)
    })
}
