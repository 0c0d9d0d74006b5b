/** `touchstone gaps`, `scenarios`, `situations`, `faults` and `variants` */
import { Command } from 'commander'
import { gapIds, gaps, type Gap } from '../../spec/index.ts'
import type { CommandContext } from '../command-context.ts'
import { listEntry, printedJson } from './print.ts'

export function gapsCommand({ io }: CommandContext): Command {
  return new Command('gaps')
    .description('list the points that the contract leaves unspecified, with their interpretations')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => {
      const rows = gapIds.map((id) => ({ id, ...(gaps[id] satisfies Gap) }))
      if (options.json) return io.out(printedJson(rows))
      io.out(rows.map((row) => listEntry(`${row.id}  ${row.kind}`, paragraphs(row), io.width)).join(''))
      io.err(`${rows.length} gaps; choose an interpretation with --interpret GAP=INTERPRETATION\n`)
    })
}

function paragraphs({ question, unjudged, interpretations }: Gap): readonly string[] {
  const named = Object.entries(interpretations).map(
    ([name, text], index) => `${name}${index === 0 ? ' (default)' : ''}: ${text}`,
  )
  return [question, `Not judged: ${unjudged}`, ...named.map((interpretation) => `- ${interpretation}`)]
}

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

export function situationsCommand({ io }: CommandContext): Command {
  return new Command('situations')
    .description('list the situations of the simulator, for --situation')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const { situations } = await import('../../simulator/index.ts')
      const rows = Object.entries(situations).map(([name, { title, shows }]) => ({ name, title, shows }))
      if (options.json) return io.out(printedJson(rows))
      io.out(
        rows
          .map(({ name, title, shows }) => listEntry(name, [`${title}.`, `Shows: ${shows}.`], io.width))
          .join(''),
      )
      io.err(`${rows.length} situations\n`)
    })
}

type Row = readonly [name: string, title: string, note: string]

export function modificationsCommands({ io }: CommandContext): readonly Command[] {
  const list = (name: string, description: string, rows: () => Promise<readonly Row[]>): Command =>
    new Command(name)
      .description(description)
      .option('--json', 'print JSON')
      .action(async (options: { json?: true }) => {
        const found = await rows()
        if (options.json)
          return io.out(printedJson(found.map(([name, title, note]) => ({ name, title, note }))))
        io.out(found.map(([name, title, note]) => listEntry(name, [title, `(${note})`], io.width)).join(''))
        io.err(`${found.length} ${name}\n`)
      })
  return [
    list('faults', 'list the deliberate defects of the simulator, for --fault', faultRows),
    list('variants', 'list unusual, conforming behaviours of the simulator, for --variant', variantRows),
  ]
}

async function faultRows(): Promise<readonly Row[]> {
  const { faults } = await import('../../simulator/index.ts')
  const rows: readonly (readonly [string, { title: string; breaks: readonly string[] }])[] =
    Object.entries(faults)
  return rows.map(([name, { title, breaks }]) => [name, title, `breaks ${breaks.join(', ')}`])
}

async function variantRows(): Promise<readonly Row[]> {
  const { variants } = await import('../../simulator/index.ts')
  const rows: readonly (readonly [string, { title: string; allowed: string }])[] = Object.entries(variants)
  return rows.map(([name, { title, allowed }]) => [name, title, `allowed: ${allowed}`])
}
