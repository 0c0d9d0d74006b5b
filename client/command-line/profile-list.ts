/** `service-client profiles`: what is saved, without the keys. */
import { Command } from 'commander'
import type { Desk } from './desk.ts'
import { looseness, profilesIn, profilesPath } from './profiles.ts'
import { columns } from './columns.ts'

export function profilesCommand({ io }: Desk): Command {
  return new Command('profiles')
    .description('list the saved profiles with their addresses')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: true }) => {
      const rows = [...profilesIn(io)].map(([name, { baseUrl }]) => ({ name, baseUrl }))
      if (json) io.out(`${JSON.stringify(rows)}\n`)
      else io.out(columns(rows.map(({ name, baseUrl }) => [name, baseUrl])))
      const loose = looseness(io)
      if (loose !== null) io.err(`warning: ${loose}.\n`)
      if (rows.length === 0) io.err(`No profile is saved in ${profilesPath(io)}.\n`)
    })
}
