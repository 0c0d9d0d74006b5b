/** `touchstone clauses`: the catalogue. */
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
import type { Bench } from '../bench.ts'
import { identifiersFrom, withVendor, type VendorOptions } from '../vendor.ts'
import { entry, json } from './print.ts'

interface Options extends VendorOptions {
  area?: Area
  level?: Level
  actor?: Actor
  json?: true
}

export function clausesCommand({ io }: Bench): Command {
  const command = new Command('clauses')
    .description('print every statement of the contract that can be kept or broken')
    .addOption(new Option('--area <area>', 'only of this area').choices(Object.keys(areas)))
    .addOption(new Option('--level <level>', 'only what must, or should, hold').choices(levels))
    .addOption(new Option('--actor <actor>', 'only what this party has to keep').choices(actors))
    .option('--json', 'print JSON')
  return withVendor(command).action((options: Options) => {
    const ids = clauseIds.filter((id) => matches(id, options))
    const identifiers = identifiersFrom(options)
    const rows = ids.map((id) => ({
      id,
      area: areaOf[id],
      ...clauses[id],
      text: clauseText(id, identifiers),
    }))
    if (options.json) return io.out(json(rows))
    io.out(
      rows
        .map((row) => entry(`${row.id}  ${row.level}`, [row.text, `(${contractWords(row)})`], io.width))
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
