/** `touchstone scenarios` */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { listEntry, printedJson } from './print.ts'

export function scenariosCommand({ io }: CommandContext): Command {
  return new Command('scenarios')
    .description('list the scenarios of the suites and their clauses')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const { serverScenarios } = await import('../../suites/scenarios.ts')
      const rows = Object.entries(serverScenarios).map(
        ([id, { title, profile = 'standard', cost, judge, observe }]) => ({
          id,
          title,
          profile,
          cost,
          judges: Object.keys(judge),
          observes: Object.keys(observe ?? {}),
        }),
      )
      if (options.json) return io.out(printedJson(rows))
      io.out(
        rows
          .map(({ id, title, judges, observes }) =>
            listEntry(id, [title, [...judges, ...observes].join(' ')], io.width),
          )
          .join(''),
      )
      io.err(`${rows.length} scenarios\n`)
    })
}
