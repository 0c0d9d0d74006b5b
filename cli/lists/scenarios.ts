/** `touchstone scenarios`: the scenarios of the suites, and the clauses that each of them judges. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { entry, json } from './print.ts'

export function scenariosCommand({ io }: Bench): Command {
  return new Command('scenarios')
    .description('list the scenarios of the suites and the clauses they judge')
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
      if (options.json) return io.out(json(rows))
      io.out(
        rows
          .map(({ id, title, judges, observes }) =>
            entry(id, [title, [...judges, ...observes].join(' ')], io.width),
          )
          .join(''),
      )
      io.err(`${rows.length} scenarios\n`)
    })
}
