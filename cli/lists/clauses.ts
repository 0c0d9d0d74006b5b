/** `touchstone clauses` */
import { Command, Option } from 'commander'
import {
  actors,
  areaOf,
  areas,
  clauseIds,
  clauses,
  clauseText,
  contractWords,
  levels,
} from '../../spec/index.ts'
import type { Actor, Area, ClauseId, Level } from '../../spec/index.ts'
import type { CommandContext } from '../command-context.ts'
import { UsageError } from '../usage-error.ts'
import { identifiersFrom, withVendor, type VendorCommandOptions } from '../vendor.ts'
import { listEntry, printedJson } from './print.ts'

interface Options extends VendorCommandOptions {
  area?: Area
  level?: Level
  actor?: Actor
  diff?: readonly string[]
  run?: string
  json?: true
}

const help = `
Examples:
  touchstone clauses --area idempotency --level should
  touchstone clauses --diff 2026-11 next.yaml --run touchstone-report`

export function clausesCommand({ io }: CommandContext): Command {
  const command = new Command('clauses')
    .description('list the clauses of the contract')
    .addOption(new Option('--area <area>', 'list only clauses of this area').choices(Object.keys(areas)))
    .addOption(new Option('--level <level>', 'list only clauses of this level').choices(levels))
    .addOption(new Option('--actor <actor>', 'list only clauses for this party').choices(actors))
    .addOption(
      new Option(
        '--diff <set...>',
        'list what changes from one clause set to another: names, or files',
      ).conflicts(['area', 'level', 'actor']),
    )
    .option('--run <folder>', 'with --diff: list the verdicts of this run that change, too')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
  return withVendor(command).action(async (options: Options) => {
    const { diff } = options
    if (diff !== undefined)
      return (await import('../clause-sets/diff.ts')).printSetDiff({ ...options, diff }, io)
    if (options.run !== undefined) throw new UsageError('--run needs --diff with two clause sets.')
    const ids = clauseIds.filter((id) => matches(id, options))
    const identifiers = identifiersFrom(options)
    const rows = ids.map((id) => ({
      id,
      area: areaOf[id],
      ...clauses[id],
      text: clauseText(id, identifiers),
    }))
    if (options.json) return io.out(printedJson(rows))
    io.out(
      rows
        .map((row) => listEntry(`${row.id}  ${row.level}`, [row.text, `(${contractWords(row)})`], io.width))
        .join(''),
    )
    io.err(`${rows.length} clauses\n`)
  })
}

function matches(id: ClauseId, { area, level, actor }: Options): boolean {
  const clause = clauses[id]
  return (
    (area === undefined || areaOf[id] === area) &&
    (level === undefined || clause.level === level) &&
    (actor === undefined || clause.actor === actor)
  )
}
